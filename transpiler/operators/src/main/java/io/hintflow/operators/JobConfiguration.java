package io.hintflow.operators;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.configuration.Configuration;

/**
 * What can be set when the job starts, without touching its code: Flink's options, the options of
 * its tables, and the values of {@code ${NAME}} in its SQL.
 *
 * <p>It is read from {@code config.yaml}, which is written like Flink's own file of that name, and
 * from the command line. In its section {@code tables}, each table stands by its path as the SQL
 * writes it, with the options to replace:
 *
 * <pre>{@code
 * parallelism.default: 4
 * tables:
 *   orders:
 *     connector: filesystem   # a connector replaces all options of the table
 *     path: ${INPUT:-data/orders}
 *     format: csv
 *   shop.customers:
 *     scan.startup.mode: earliest-offset   # replaces one option
 *     properties.group.id: ~               # removes one
 * }</pre>
 *
 * <p>On the command line, {@code -Dkey=value} sets one of Flink's options, {@code
 * -Dtables.PATH.OPTION=value} one of a table's, and {@code -DNAME=value}, a name without a dot, a
 * value for {@code ${NAME}}, which otherwise comes from the environment.
 *
 * <p>Every mistake is an {@link IllegalArgumentException} that says what to do about it. None
 * prints a value: it may be a secret.
 */
public final class JobConfiguration {
  private static final String TABLES = "tables.";

  private final Map<String, String> flinkOptions = new LinkedHashMap<>();
  private final Map<String, Map<String, Optional<String>>> tableOptions;

  /** Options of tables whose keys say the table's path and the option in one: PATH.OPTION. */
  private final Map<String, String> dottedTableOptions = new LinkedHashMap<>();

  private final Map<String, String> placeholderValues;
  private final Set<String> createdTables = new LinkedHashSet<>();

  private JobConfiguration(
      ConfigurationFile file, Map<String, String> environment, Map<String, String> overrides) {
    this.tableOptions = file.tables();
    this.placeholderValues = new LinkedHashMap<>(environment);
    file.options().forEach(this::set);
    overrides.forEach(
        (key, value) -> {
          if (key.contains(".")) {
            set(key, value);
          } else {
            placeholderValues.put(key, value);
          }
        });
  }

  private void set(String key, String value) {
    if (key.startsWith(TABLES)) {
      dottedTableOptions.put(key.substring(TABLES.length()), value);
    } else {
      flinkOptions.put(key, value);
    }
  }

  /** Reads {@code config.yaml} from the class path, or the file that the arguments name. */
  public static JobConfiguration load(String[] arguments) {
    return load(arguments, System.getenv());
  }

  static JobConfiguration load(String[] arguments, Map<String, String> environment) {
    Optional<Path> file = Optional.empty();
    Map<String, String> overrides = new LinkedHashMap<>();
    for (int index = 0; index < arguments.length; index++) {
      String argument = arguments[index];
      if (argument.equals("--config") && index + 1 < arguments.length) {
        index++;
        file = Optional.of(Path.of(arguments[index]));
      } else if (argument.matches("(?s)-D[^=]+=.*")) {
        String[] override = argument.substring(2).split("=", 2);
        overrides.put(override[0], override[1]);
      } else {
        throw new IllegalArgumentException(
            "Argument '%s' is not understood. The arguments of the job are: [--config FILE] [-Dkey=value]..."
                .formatted(argument.split("=", 2)[0]));
      }
    }
    return new JobConfiguration(ConfigurationFile.read(file), environment, overrides);
  }

  /** Flink's options, all but those of the tables, with the values of their {@code ${NAME}}. */
  public Configuration flink() {
    Map<String, String> resolved = new LinkedHashMap<>();
    flinkOptions.forEach(
        (key, value) -> resolved.put(key, SqlText.resolveOption(key, value, this::placeholder)));
    return Configuration.fromMap(resolved);
  }

  /** The statement with the values of the {@code ${NAME}} in its string literals. */
  public String sql(String statement) {
    return SqlText.resolvePlaceholders(statement, this::placeholder);
  }

  private Optional<String> placeholder(String name) {
    return Optional.ofNullable(placeholderValues.get(name));
  }

  /**
   * The CREATE TABLE statement with the options that the configuration has for the table, and with
   * the values of the {@code ${NAME}} in its string literals and in those options.
   *
   * @param path the table as the SQL writes it
   */
  public String createTable(String path, String statement) {
    createdTables.add(path);
    Map<String, Optional<String>> options =
        new LinkedHashMap<>(tableOptions.getOrDefault(path, Map.of()));
    dottedTableOptions.forEach(
        (key, value) -> {
          if (tableOf(key).equals(Optional.of(path))) {
            options.put(key.substring(path.length() + 1), Optional.of(value));
          }
        });
    return sql(options.isEmpty() ? statement : SqlText.replaceOptions(statement, options));
  }

  /**
   * Finds misspelt tables: to be called after the last {@link #createTable}.
   *
   * @throws IllegalArgumentException if the configuration has options for a table that was not
   *     created
   */
  public void requireAllTablesUsed() {
    List<String> unused = new ArrayList<>(tableOptions.keySet());
    unused.removeAll(createdTables);
    dottedTableOptions.keySet().stream().filter(key -> tableOf(key).isEmpty()).forEach(unused::add);
    if (!unused.isEmpty()) {
      throw new IllegalArgumentException(
          "The configuration has options for tables that the job does not create: %s. Its tables are: %s."
              .formatted(String.join(", ", unused), String.join(", ", createdTables)));
    }
  }

  /** Of the tables known so far, the one with the longest path that the key starts with. */
  private Optional<String> tableOf(String dottedKey) {
    Set<String> known = new LinkedHashSet<>(createdTables);
    known.addAll(tableOptions.keySet());
    return known.stream()
        .filter(path -> dottedKey.startsWith(path + "."))
        .max(Comparator.comparingInt(String::length));
  }
}
