package io.hintflow.transpiler.lowering;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.calcite.sql.parser.SqlAbstractParserImpl;

/** Identifiers as SQL text. */
public final class SqlNames {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z][A-Za-z0-9_]*");

  private SqlNames() {}

  /** A name as it is written in Flink SQL: in backquotes where it needs them. */
  public static String identifier(String name) {
    boolean plain =
        PLAIN.matcher(name).matches() && !RESERVED.contains(name.toUpperCase(Locale.ROOT));
    return plain ? name : '`' + name.replace("`", "``") + '`';
  }

  /** A name of several parts. */
  public static String path(List<String> parts) {
    return parts.stream().map(SqlNames::identifier).collect(Collectors.joining("."));
  }

  /**
   * The words that SQL:2016 reserves; a name among them is quoted, whether or not Flink's parser
   * would ask for it.
   */
  private static final Set<String> RESERVED = SqlAbstractParserImpl.getSql92ReservedWords();
}
