package io.hintflow.transpiler.plan;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
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

  /** Possessive, for a quote without an end may be followed by the rest of a long script. */
  private static final String LITERAL = "'[^']*+(?:''[^']*+)*+'";

  private static final Pattern PAIR =
      Pattern.compile("(" + LITERAL + ")(\\s*=\\s*)(" + LITERAL + ")");

  private static final Pattern TEXT = Pattern.compile(LITERAL);

  /** What is in an address: behind the user's name, or as a parameter. */
  private static final Pattern IN_ADDRESS =
      Pattern.compile(
          "(://[^/\\s:@']*:)(?!\\$\\{)[^/\\s@']+(?=@)"
              + "|([?&;](?:password|passwd|pwd|secret|token)=)(?!\\$\\{)[^&;\\s']+",
          Pattern.CASE_INSENSITIVE);

  /** A setting that is written without quotes, as the SQL client once took it. */
  private static final Pattern SETTING =
      Pattern.compile(
          "(\\bSET\\s+)([\\w.-]+)(\\s*=\\s*)([^\\s';][^;\\r\\n]*)", Pattern.CASE_INSENSITIVE);

  private Secrets() {}

  /** Whether the value of an option is not for everybody's eyes. */
  public static boolean isSecret(String key) {
    String lower = key.toLowerCase(Locale.ROOT);
    return MARKS.stream().anyMatch(lower::contains);
  }

  /** The value as it may be shown. */
  public static String masked(String key, String value) {
    return isSecret(key) && !value.matches("\\$\\{[^}]*}") ? MASK : maskedAddress(value);
  }

  private static String maskedAddress(String value) {
    return value.contains("://")
        ? IN_ADDRESS
            .matcher(value)
            .replaceAll(
                found ->
                    Matcher.quoteReplacement(
                        Optional.ofNullable(found.group(1)).orElseGet(() -> found.group(2)) + MASK))
        : value;
  }

  /**
   * SQL as it may be shown, one statement or a whole script with its comments: the values of secret
   * options, and passwords in addresses, give way to asterisks, and every line stays in its place.
   */
  public static String masked(String sql) {
    String masked =
        PAIR.matcher(sql)
            .replaceAll(
                pair ->
                    Matcher.quoteReplacement(
                        isSecret(pair.group(1))
                            ? pair.group(1)
                                + pair.group(2)
                                + "'"
                                + MASK
                                + pair.group(3).replaceAll("[^\\r\\n]", "")
                                + "'"
                            : pair.group()));
    String withoutAddresses =
        TEXT.matcher(masked)
            .replaceAll(text -> Matcher.quoteReplacement(maskedAddress(text.group())));
    return SETTING
        .matcher(withoutAddresses)
        .replaceAll(
            setting ->
                Matcher.quoteReplacement(
                    isSecret(setting.group(2))
                        ? setting.group(1) + setting.group(2) + setting.group(3) + MASK
                        : setting.group()));
  }
}
