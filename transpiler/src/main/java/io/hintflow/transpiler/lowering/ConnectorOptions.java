package io.hintflow.transpiler.lowering;

import io.hintflow.grammar.Block;
import io.hintflow.grammar.DiagnosticCode;
import io.hintflow.grammar.Hint;
import io.hintflow.grammar.NearestName;
import io.hintflow.grammar.Statement;
import io.hintflow.grammar.TableOption;
import io.hintflow.grammar.TableReference;
import io.hintflow.transpiler.analysis.Relation;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The options of a carried connector. The job checks them again when it starts, for some are known
 * only then.
 *
 * @param connector its name
 * @param required those that a table cannot do without
 * @param kinds what each of them may say
 */
public record ConnectorOptions(String connector, Set<String> required, Map<String, Kind> kinds) {
  /** What an option may say. */
  public enum Kind {
    TEXT("a text") {
      @Override
      boolean accepts(String value) {
        return true;
      }
    },
    BOOLEAN("'true' or 'false'") {
      @Override
      boolean accepts(String value) {
        return value.equalsIgnoreCase("true") || value.equalsIgnoreCase("false");
      }
    },
    PORT("a port: a whole number from 1 to 65535") {
      @Override
      boolean accepts(String value) {
        return isWithin(value, 1, 65_535);
      }
    },
    /** From 0 on. */
    NATURAL("a whole number of at least 0") {
      @Override
      boolean accepts(String value) {
        return isWithin(value, 0, Integer.MAX_VALUE);
      }
    },
    POSITIVE("a whole number of at least 1") {
      @Override
      boolean accepts(String value) {
        return isWithin(value, 1, Integer.MAX_VALUE);
      }
    },
    /** Flink's form of one, or a bare number of seconds. */
    DURATION("a duration as '10 min', or a number of seconds, and longer than nothing") {
      @Override
      boolean accepts(String value) {
        return value.matches(DURATION_FORM) && value.matches(".*[1-9].*");
      }
    };

    /** Flink's units of time, long and short. */
    private static final String DURATION_FORM =
        "(?i)\\s*\\d{1,9}\\s*(d|days?|h|hours?|min|minutes?|m|s|secs?|seconds?|ms|millis?|milliseconds?)?\\s*";

    private final String meaning;

    Kind(String meaning) {
      this.meaning = meaning;
    }

    abstract boolean accepts(String value);

    private static boolean isWithin(String value, int least, int most) {
      return value.matches("\\d{1,10}")
          && new BigInteger(value).compareTo(BigInteger.valueOf(least)) >= 0
          && new BigInteger(value).compareTo(BigInteger.valueOf(most)) <= 0;
    }
  }

  private static final String CONNECTOR = "connector";
  private static final String FORMAT = "format";

  /**
   * Whether a script has such a table; what its statements say is enough, so that other scripts
   * need not be analyzed.
   */
  public boolean isUsed(ScriptContext script) {
    return script.script().statements().stream()
        .filter(Statement.CreateTable.class::isInstance)
        .flatMap(create -> ((Statement.CreateTable) create).options().stream())
        .anyMatch(
            option ->
                option.key().text().equals(CONNECTOR) && option.value().text().equals(connector));
  }

  /** Checks all of a script's tables with this connector, and the options beside their names. */
  public void check(ScriptContext script) {
    tables(script).forEach(table -> check(script, table));
    for (Statement statement : script.script().statements()) {
      statement.blocks().forEach(block -> check(script, statement, block));
    }
  }

  /** The tables with this connector that a script declares, as their own statements have them. */
  public List<Relation.Table> tables(ScriptContext script) {
    return script.script().statements().stream()
        .filter(Statement.CreateTable.class::isInstance)
        .flatMap(create -> script.analysis().declaredBy((Statement.CreateTable) create).stream())
        .filter(this::isOf)
        .toList();
  }

  /** The table with this connector that a name stands for. */
  public Optional<Relation.Table> table(ScriptContext script, Statement at, List<String> path) {
    return script.analysis().resolveTable(at, path).filter(this::isOf);
  }

  private boolean isOf(Relation.Table table) {
    return connector.equals(table.options().get(CONNECTOR));
  }

  private void check(ScriptContext script, Relation.Table table) {
    Statement.CreateTable create = table.statement();
    create.options().stream()
        .filter(option -> !isHint(option, create.hints()))
        .forEach(option -> check(script, option, table));
    for (String name : new TreeSet<>(required)) {
      if (!table.options().containsKey(name)) {
        script.report(
            DiagnosticCode.MISSING_TABLE_OPTION,
            create.options().stream()
                .filter(option -> option.key().text().equals(CONNECTOR))
                .map(TableOption::span)
                .findFirst()
                .orElse(create.nameSpan()),
            "The connector '%s' needs the option '%s'".formatted(connector, name),
            "Add '%s' = '…' to the WITH clause".formatted(name));
      }
    }
  }

  private void check(ScriptContext script, Statement statement, Block block) {
    for (TableReference reference : block.tables()) {
      if (reference.options().isEmpty() || block.commonTable(reference).isPresent()) {
        continue;
      }
      table(script, statement, reference.path())
          .ifPresent(
              table ->
                  reference.options().stream()
                      .filter(option -> !isHint(option, reference.hints()))
                      .forEach(option -> check(script, option, table)));
    }
    block.inner().forEach(inner -> check(script, statement, inner));
  }

  private static boolean isHint(TableOption option, List<Hint> hints) {
    return hints.stream().map(Hint::span).anyMatch(option.span()::equals);
  }

  private void check(ScriptContext script, TableOption option, Relation.Table table) {
    String name = option.key().text();
    String value = option.value().text();
    if (name.equals(CONNECTOR) || isOfFormat(name, table)) {
      return;
    }
    Kind kind = kinds.get(name);
    if (kind == null) {
      Optional<String> nearest = NearestName.of(name, List.copyOf(new TreeSet<>(kinds.keySet())));
      script.report(
          DiagnosticCode.UNKNOWN_TABLE_OPTION,
          option.key().span(),
          "The connector '%s' has no option '%s'".formatted(connector, name),
          nearest
              .map("Did you mean '%s'? The options are "::formatted)
              .orElse("The options are ")
              .concat(String.join(", ", new TreeSet<>(kinds.keySet()))),
          script.otherName(option.key().span(), nearest));
    } else if (!value.contains("${") && !kind.accepts(value)) {
      script.report(
          DiagnosticCode.INVALID_TABLE_OPTION,
          option.value().span(),
          "The option '%s' is %s".formatted(name, kind.meaning),
          "Write '%s' = '…' with such a value".formatted(name));
    }
  }

  /** Whether an option is for the table's format, which judges it itself. */
  private boolean isOfFormat(String name, Relation.Table table) {
    return kinds.containsKey(FORMAT)
        && Optional.ofNullable(table.options().get(FORMAT))
            .filter(format -> name.startsWith(format + "."))
            .isPresent();
  }
}
