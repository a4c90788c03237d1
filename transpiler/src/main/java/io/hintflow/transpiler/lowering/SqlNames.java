package io.hintflow.transpiler.lowering;

import java.io.StringReader;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.calcite.sql.parser.SqlAbstractParserImpl;
import org.apache.flink.sql.parser.impl.FlinkSqlParserImpl;

/** Identifiers as SQL text. */
public final class SqlNames {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z][A-Za-z0-9_]*");

  private SqlNames() {}

  /** A name as it is written in Flink SQL: in backquotes where it needs them. */
  public static String identifier(String name) {
    boolean plain =
        PLAIN.matcher(name).matches()
            && !Reserved.WORDS.isReservedWord(name.toUpperCase(Locale.ROOT));
    return plain ? name : '`' + name.replace("`", "``") + '`';
  }

  /** A name of several parts. */
  public static String path(List<String> parts) {
    return parts.stream().map(SqlNames::identifier).collect(Collectors.joining("."));
  }

  /** The words that Flink's parser takes for a name in backquotes only. */
  private static final class Reserved {
    // The parser knows them itself, once it has been loaded.
    static final SqlAbstractParserImpl.Metadata WORDS =
        FlinkSqlParserImpl.FACTORY.getParser(new StringReader("")).getMetadata();
  }
}
