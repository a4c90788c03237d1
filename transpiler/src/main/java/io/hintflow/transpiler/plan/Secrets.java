package io.hintflow.transpiler.plan;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Keeps passwords out of what people read: plans, differences and errors. */
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

  /** As it should be, and as it is written by mistake: without the equals sign, in other quotes. */
  private static final Pattern PAIR =
      Pattern.compile("(" + LITERAL + ")(\\s*=*\\s*)(" + LITERAL + "|\"[^\"]*+\")");

  /**
   * What is in an address: behind the user's name, or as a parameter. It ends with its literal,
   * which is not looked for: one quote in a comment, and all behind it would be inside out.
   */
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
    return isSecret(key) && !value.matches("\\$\\{[^}]*}")
        ? MASK
        : hiddenInAddress(value, secret -> MASK);
  }

  /**
   * SQL as it may be shown, one statement or a whole script with its comments: the values of secret
   * options, and passwords in addresses, give way to asterisks, and every line stays in its place.
   */
  public static String masked(String sql) {
    return hidden(sql, secret -> MASK + secret.replaceAll("[^\\r\\n]", ""));
  }

  /**
   * SQL in which every character stays in its place: each one of a secret gives way to an asterisk.
   * For an excerpt with a caret below it; how long a secret is can be seen.
   */
  public static String covered(String sql) {
    return hidden(sql, Secrets::covering);
  }

  private static String covering(String secret) {
    StringBuilder cover = new StringBuilder(secret.length());
    secret.chars().forEach(c -> cover.append(c == '\r' || c == '\n' ? (char) c : '*'));
    return cover.toString();
  }

  /**
   * @param hide what comes in the place of a secret
   */
  private static String hidden(String sql, UnaryOperator<String> hide) {
    String withoutPairs =
        replaced(
            PAIR,
            sql,
            pair -> {
              String value = pair.group(3);
              String quote = value.substring(0, 1);
              return isSecret(pair.group(1))
                  ? pair.group(1)
                      + pair.group(2)
                      + quote
                      + hide.apply(value.substring(1, value.length() - 1))
                      + quote
                  : pair.group();
            });
    return replaced(
        SETTING,
        hiddenInAddress(withoutPairs, hide),
        setting ->
            isSecret(setting.group(2))
                ? setting.group(1)
                    + setting.group(2)
                    + setting.group(3)
                    + hide.apply(setting.group(4))
                : setting.group());
  }

  private static String hiddenInAddress(String value, UnaryOperator<String> hide) {
    return value.contains("://")
        ? replaced(
            IN_ADDRESS,
            value,
            found -> {
              String head = Optional.ofNullable(found.group(1)).orElseGet(() -> found.group(2));
              return head + hide.apply(found.group().substring(head.length()));
            })
        : value;
  }

  private static String replaced(
      Pattern pattern, String text, Function<MatchResult, String> replacement) {
    return pattern
        .matcher(text)
        .replaceAll(found -> Matcher.quoteReplacement(replacement.apply(found)));
  }
}
