package io.hintflow.transpiler.emission;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Keeps passwords out of what people read: plans, and later errors. */
public final class Secrets {
  static final String MASK = "******";

  private static final Set<String> MARKS =
      Set.of(
          "password",
          "secret",
          "token",
          "credential",
          "passphrase",
          "jaas",
          "private-key",
          "access-key",
          "access.key",
          "apikey",
          "api-key");

  private static final Pattern PAIR = Pattern.compile("('(?:[^']|'')*')(\\s*=\\s*)'(?:[^']|'')*'");

  private Secrets() {}

  /** Whether the value of an option is not for everybody's eyes. */
  public static boolean isSecret(String key) {
    String lower = key.toLowerCase(Locale.ROOT);
    return MARKS.stream().anyMatch(lower::contains);
  }

  /** The value as it may be shown. */
  public static String masked(String key, String value) {
    return isSecret(key) && !value.matches("\\$\\{[^}]*}") ? MASK : value;
  }

  /** A statement as it may be shown: the values of secret options give way to asterisks. */
  public static String masked(String sql) {
    return PAIR.matcher(sql)
        .replaceAll(
            pair ->
                java.util.regex.Matcher.quoteReplacement(
                    isSecret(pair.group(1))
                        ? pair.group(1) + pair.group(2) + "'" + MASK + "'"
                        : pair.group()));
  }
}
