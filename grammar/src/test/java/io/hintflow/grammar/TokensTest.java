package io.hintflow.grammar;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.apache.flink.sql.parser.impl.FlinkSqlParserImplConstants;
import org.apache.flink.sql.parser.impl.FlinkSqlParserImplTokenManager;
import org.apache.flink.sql.parser.impl.SimpleCharStream;
import org.apache.flink.sql.parser.impl.TokenMgrError;
import org.junit.jupiter.api.Test;

/** How a text comes apart into tokens. */
class TokensTest {
  private static Tokens read(String text) {
    return Tokens.of(new SourceText("x.sql", text));
  }

  private static List<String> kindsAndTexts(String text) {
    Tokens tokens = read(text);
    List<String> shown = new ArrayList<>();
    for (int i = 0; i < tokens.size(); i++) {
      shown.add(tokens.get(i).kind() + " " + tokens.get(i).text());
    }
    return shown;
  }

  @Test
  void tellsWordsNamesLiteralsNumbersAndMarksApart() {
    assertThat(kindsAndTexts("a_1 `b``c`, 'd''e' 1.5e-3 1e 中文<>x=>2 /*+ f */ ${G:-h}"))
        .containsExactly(
            "WORD a_1",
            "QUOTED_NAME `b``c`",
            "SYMBOL ,",
            "STRING 'd''e'",
            "NUMBER 1.5e-3",
            "NUMBER 1",
            "WORD e",
            "WORD 中文",
            "SYMBOL <>",
            "WORD x",
            "SYMBOL =>",
            "NUMBER 2",
            "HINT_START /*+",
            "WORD f",
            "HINT_END */",
            "PLACEHOLDER ${G:-h}");
  }

  @Test
  void valuesAreUnquoted() {
    Tokens tokens = read("`b``c` 'd''e' f");
    assertThat(List.of(tokens.get(0).value(), tokens.get(1).value(), tokens.get(2).value()))
        .containsExactly("b`c", "d'e", "f");
  }

  @Test
  void parenthesesFindTheirPartnersWithinOneStatement() {
    Tokens tokens = read("f(a, (b), ')') ( ; ) (c)");
    assertThat(tokens.matching(1)).hasValue(9);
    assertThat(tokens.matching(9)).hasValue(1);
    assertThat(tokens.matching(4)).hasValue(6);
    assertThat(tokens.matching(10)).isEmpty();
    assertThat(tokens.matching(12)).isEmpty();
    assertThat(tokens.matching(13)).hasValue(15);
  }

  @Test
  void tokensAreFoundByOffset() {
    Tokens tokens = read("a  bc;");
    assertThat(List.of(tokens.indexAt(0), tokens.indexAt(1), tokens.indexAt(3), tokens.indexAt(4)))
        .containsExactly(0, 1, 1, 2);
    assertThat(tokens.indexAt(6)).isEqualTo(tokens.size());
  }

  @Test
  void aMissingQuoteCostsItsLineOnly() {
    assertThat(kindsAndTexts("SELECT 'a ;\nSELECT 'b' ;"))
        .containsExactly(
            "WORD SELECT", "UNTERMINATED 'a ", "SYMBOL ;", "WORD SELECT", "STRING 'b'", "SYMBOL ;");
  }

  @Test
  void literalsMaySpanLines() {
    assertThat(kindsAndTexts("'a;\nb'")).containsExactly("STRING 'a;\nb'");
  }

  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.of(
            "'", "''", "`", "--", "//", "/*", "*/", "/**", "/***", "/*+", "+", "*", "/", "\n", "\r",
            "\r\n", " ", "\t", ";", "(", ")", "a", "N", "E", "e", "U&", "\\", "1", "1e", ".",
            "select", "中", "x'", "_b'")
        .list()
        .ofMaxSize(30)
        .map(parts -> String.join("", parts));
  }

  /**
   * A statement ends, and a parenthesis stands, where Flink's own lexer has it; else a script would
   * come apart in another way than when Flink reads it.
   */
  @Property(tries = 5_000)
  void agreesWithFlinksLexer(@ForAll("texts") String text) {
    Optional<List<Integer>> flink = marksByFlink(text);
    Tokens tokens = read(text);
    List<Integer> own = new ArrayList<>();
    boolean terminated = true;
    for (int i = 0; i < tokens.size(); i++) {
      Token token = tokens.get(i);
      terminated &= token.kind() != Token.Kind.UNTERMINATED;
      if (token.isSymbol(";") || token.isSymbol("(") || token.isSymbol(")")) {
        own.add(token.span().start());
      }
    }
    if (terminated && flink.isPresent()) {
      assertThat(own).isEqualTo(flink.get());
    }
  }

  /**
   * The offsets of semicolons and parentheses; empty if the text has something that is no token.
   */
  private static Optional<List<Integer>> marksByFlink(String text) {
    SimpleCharStream stream = new TabsAreOneColumn(text);
    FlinkSqlParserImplTokenManager lexer = new FlinkSqlParserImplTokenManager(stream);
    lexer.SwitchTo(FlinkSqlParserImplConstants.BTID);
    SourceText source = new SourceText("x.sql", text);
    List<Integer> offsets = new ArrayList<>();
    try {
      while (true) {
        org.apache.flink.sql.parser.impl.Token token = lexer.getNextToken();
        switch (token.kind) {
          case FlinkSqlParserImplConstants.EOF -> {
            return Optional.of(offsets);
          }
          case FlinkSqlParserImplConstants.SEMICOLON,
              FlinkSqlParserImplConstants.LPAREN,
              FlinkSqlParserImplConstants.RPAREN ->
              offsets.add(source.lineStart(token.beginLine) + token.beginColumn - 1);
          default -> {}
        }
      }
    } catch (TokenMgrError e) {
      return Optional.empty();
    }
  }

  private static final class TabsAreOneColumn extends SimpleCharStream {
    TabsAreOneColumn(String text) {
      super(new StringReader(text), 1, 1);
      setTabSize(1);
    }
  }
}
