package io.hintflow.grammar;

import java.io.StringReader;
import java.util.Locale;
import java.util.regex.Pattern;
import org.apache.calcite.sql.parser.SqlAbstractParserImpl;
import org.apache.flink.sql.parser.impl.FlinkSqlParserImpl;

/** Names as SQL text. */
public final class Identifiers {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z][A-Za-z0-9_]*");

  private Identifiers() {}

  /** A name as it is written in Flink SQL: in backquotes where it needs them. */
  public static String text(String name) {
    boolean plain = PLAIN.matcher(name).matches() && !isReserved(name);
    return plain ? name : '`' + name.replace("`", "``") + '`';
  }

  /** Whether a word, in whatever case, is a keyword that no name can be without backquotes. */
  public static boolean isReserved(String word) {
    return Reserved.WORDS.isReservedWord(word.toUpperCase(Locale.ROOT));
  }

  /** Whether a word, in whatever case, is a keyword; some can be names as well. */
  public static boolean isKeyword(String word) {
    return Reserved.WORDS.isKeyword(word.toUpperCase(Locale.ROOT));
  }

  /** The words that Flink's parser takes for a name in backquotes only. */
  private static final class Reserved {
    // The parser knows them itself, once it has been loaded.
    static final SqlAbstractParserImpl.Metadata WORDS =
        FlinkSqlParserImpl.FACTORY.getParser(new StringReader("")).getMetadata();
  }
}
