package io.hintflow.grammar;

import java.util.List;
import java.util.Random;

/**
 * Scripts as nobody should write them: cut, doubled, with tokens swapped, and with stray
 * characters.
 */
public final class ScriptMutations {
  private static final List<String> FRAGMENTS =
      List.of(
          "'",
          "`",
          "\"",
          "(",
          ")",
          ",",
          ";",
          "/*+",
          "*/",
          "/*",
          "--",
          "#",
          "${",
          "}",
          "=",
          ".",
          "\u0000",
          "\u0007",
          "\uD83D",
          "\uDE00",
          "\uFEFF",
          "\r",
          "\n",
          "\t",
          "\u3000",
          "，",
          "SELECT",
          "FROM",
          "END",
          "BEGIN STATEMENT SET;",
          "SET ",
          "Flink SQL>",
          ">",
          "UNION",
          "ORDER BY",
          "((((((((",
          "NOT ",
          "CASE WHEN ",
          "9999999999999999999999",
          "1e999999",
          "U&'\\zzzz'",
          "x'1'",
          "INTERVAL '1' YEAR");

  private ScriptMutations() {}

  /** A script with one to four mutations. */
  public static String mutate(String original, Random random) {
    StringBuilder script = new StringBuilder(original);
    int mutations = 1 + random.nextInt(4);
    for (int i = 0; i < mutations; i++) {
      int from = random.nextInt(script.length() + 1);
      int to = Math.min(script.length(), from + 1 + random.nextInt(20));
      switch (random.nextInt(6)) {
        case 0 -> script.delete(from, to);
        case 1 -> script.insert(from, script.substring(from, to));
        case 2 -> script.insert(from, FRAGMENTS.get(random.nextInt(FRAGMENTS.size())));
        case 3 -> script.setLength(from);
        case 4 -> swapTokens(script, random);
        default -> script.insert(from, (char) random.nextInt(0x10000));
      }
    }
    return script.toString();
  }

  private static void swapTokens(StringBuilder script, Random random) {
    Tokens tokens = Tokens.of(new SourceText("fuzz.sql", script.toString()));
    if (tokens.size() > 1) {
      int first = random.nextInt(tokens.size() - 1);
      int second = first + 1 + random.nextInt(tokens.size() - first - 1);
      Token left = tokens.get(first);
      Token right = tokens.get(second);
      script.replace(right.span().start(), right.span().end(), left.text());
      script.replace(left.span().start(), left.span().end(), right.text());
    }
  }
}
