package io.hintflow.operators;

import static java.util.stream.Collectors.joining;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a job's configuration changes in the text of a SQL statement. Whatever it does not change
 * stays byte for byte.
 */
final class SqlText {
  /** A comment or a token. A hint is no comment: what stands in it is read like other SQL. */
  private static final Pattern TOKEN =
      Pattern.compile(
          """
          (?: -- | // ) [^\\r\\n]*+
          | /\\* (?!\\+) (?s:.*?) \\*/
          | ' [^']*+ (?: '' [^']*+ )*+ '
          | ` [^`]*+ `
          | \\w++
          | \\S
          """,
          Pattern.COMMENTS | Pattern.UNICODE_CHARACTER_CLASS);

  /** {@code ${NAME}} or {@code ${NAME:-default}}, but not {@code $${NAME}}. */
  private static final Pattern PLACEHOLDER =
      Pattern.compile("(?<!\\$)\\$\\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?}");

  private SqlText() {}

  /**
   * The statement with each placeholder in a string literal replaced by its value, else by its own
   * default.
   *
   * @throws IllegalArgumentException if a placeholder has neither
   */
  static String resolvePlaceholders(String statement, Function<String, Optional<String>> values) {
    Function<String, Optional<String>> quoted =
        name -> values.apply(name).map(value -> value.replace("'", "''"));
    return replace(
        TOKEN,
        statement,
        token ->
            isLiteral(token.group())
                ? resolve(
                    token.group(),
                    "the statement that starts with \"" + beginning(statement) + "\"",
                    quoted)
                : token.group());
  }

  /** As {@link #resolvePlaceholders}, for the value of an option of Flink's. */
  static String resolveOption(String key, String value, Function<String, Optional<String>> values) {
    return resolve(value, "the option " + key, values);
  }

  private static String resolve(
      String text, String where, Function<String, Optional<String>> values) {
    return replace(
        PLACEHOLDER,
        text,
        placeholder ->
            values
                .apply(placeholder.group(1))
                // A default stands in the text as it should stand there.
                .or(() -> Optional.ofNullable(placeholder.group(2)))
                .orElseThrow(
                    () ->
                        new IllegalArgumentException(
                            "There is no value for ${%1$s} in %2$s. Pass -D%1$s=value or set the environment variable %1$s."
                                .formatted(placeholder.group(1), where))));
  }

  /** The first words of a statement and none of its literals, which may be secrets. */
  private static String beginning(String statement) {
    String words = statement.strip().split("'", 2)[0].replaceAll("\\s+", " ");
    return words.length() <= 60 ? words : words.substring(0, 60) + "…";
  }

  /**
   * A CREATE TABLE statement with other options in its WITH clause, which is added if it has none.
   *
   * @param options new values by option; an option without a value is removed. If {@code connector}
   *     is among them, they replace all options of the statement.
   */
  static String replaceOptions(String createTable, Map<String, Optional<String>> options) {
    WithClause clause = WithClause.of(createTable);
    Map<String, String> literals = new LinkedHashMap<>();
    if (!options.containsKey("connector")) {
      literals.putAll(clause.literals());
    }
    options.forEach(
        (option, value) ->
            value.ifPresentOrElse(
                text -> literals.put(option, quote(text)), () -> literals.remove(option)));
    return createTable.substring(0, clause.start())
        + literals.entrySet().stream()
            .map(option -> quote(option.getKey()) + " = " + option.getValue())
            .collect(joining(",\n  ", "\nWITH (\n  ", "\n)\n"))
        + createTable.substring(clause.end());
  }

  /**
   * The WITH clause of a CREATE TABLE statement, or the place for one.
   *
   * @param literals the value of each option as it is written, by the option's plain name
   */
  private record WithClause(int start, int end, Map<String, String> literals) {
    static WithClause of(String createTable) {
      List<MatchResult> tokens =
          TOKEN.matcher(createTable).results().filter(token -> !isComment(token.group())).toList();
      int depth = 0;
      for (int index = 0; index < tokens.size(); index++) {
        MatchResult token = tokens.get(index);
        switch (token.group().toUpperCase(Locale.ROOT)) {
          case "(" -> depth++;
          case ")" -> depth--;
          case "WITH" -> {
            if (depth == 0) {
              return parse(createTable, tokens.subList(index, tokens.size()));
            }
          }
          // A WITH behind one of these belongs to a query.
          case "LIKE", "AS", ";" -> {
            if (depth == 0) {
              return new WithClause(token.start(), token.start(), Map.of());
            }
          }
          default -> {}
        }
      }
      int end = tokens.get(tokens.size() - 1).end();
      return new WithClause(end, end, Map.of());
    }

    /** Reads {@code WITH ( 'key' = 'value', … )} at the first of the tokens. */
    private static WithClause parse(String createTable, List<MatchResult> tokens) {
      Map<String, String> literals = new LinkedHashMap<>();
      int index = 2;
      while (!tokens.get(index).group().equals(")")) {
        String key = unquote(tokens.get(index).group());
        int value = index + 2;
        int end = value;
        while (!tokens.get(end).group().matches("[,)]")) {
          end++;
        }
        literals.put(
            key, createTable.substring(tokens.get(value).start(), tokens.get(end - 1).end()));
        index = tokens.get(end).group().equals(",") ? end + 1 : end;
      }
      return new WithClause(tokens.get(0).start(), tokens.get(index).end(), literals);
    }
  }

  private static boolean isComment(String token) {
    return token.startsWith("--") || token.startsWith("//") || token.startsWith("/*");
  }

  private static boolean isLiteral(String token) {
    return token.length() > 1 && token.startsWith("'");
  }

  private static String quote(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  private static String unquote(String literal) {
    return literal.substring(1, literal.length() - 1).replace("''", "'");
  }

  private static String replace(
      Pattern pattern, String text, Function<MatchResult, String> replacement) {
    return pattern
        .matcher(text)
        .replaceAll(match -> Matcher.quoteReplacement(replacement.apply(match)));
  }
}
