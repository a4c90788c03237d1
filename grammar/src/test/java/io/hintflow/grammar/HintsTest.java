package io.hintflow.grammar;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What each hint is read as. */
class HintsTest {
  private static Script readWithoutFindings(String text) {
    ScriptReader.Result result = ScriptReader.read(new SourceText("x.sql", text));
    assertThat(result.diagnostics()).isEmpty();
    return result.script();
  }

  private static Block onlyBlock(String text) {
    Script script = readWithoutFindings(text);
    Statement last = script.statements().get(script.statements().size() - 1);
    assertThat(last.blocks()).hasSize(1);
    return last.blocks().get(0);
  }

  @Test
  void broadcastAndHashByKey() {
    MarkedText marked =
        MarkedText.of(
            "SELECT /*+ ⟦Broadcast(a, `b c`)⟧, ⟦HASH_BY_KEY(⟧⟦'l'⟧=' ⟦c1⟧ ,⟦c''2⟧', r = '⟦d⟧') */ x FROM a;");
    Block block = onlyBlock(marked.text());
    List<Span> spans = marked.spans();
    Hint.Broadcast broadcast = (Hint.Broadcast) block.hints().get(0);
    assertThat(broadcast.span()).isEqualTo(spans.get(0));
    assertThat(broadcast.tables()).extracting(Name::text).containsExactly("a", "b c");
    Hint.HashByKey hashByKey = (Hint.HashByKey) block.hints().get(1);
    assertThat(hashByKey.span().start()).isEqualTo(spans.get(1).start());
    assertThat(hashByKey.tables())
        .isEqualTo(
            List.of(
                new Hint.TableColumns(
                    new Name("l", spans.get(2)),
                    List.of(new Name("c1", spans.get(3)), new Name("c'2", spans.get(4)))),
                new Hint.TableColumns(
                    new Name("r", hashByKey.tables().get(1).table().span()),
                    List.of(new Name("d", spans.get(5))))));
    assertThat(block.hintComment()).isPresent();
    assertThat(marked.text().substring(block.hintComment().get().start()))
        .startsWith("/*+ Broadcast");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT /*+ DISTRIBUTEBY('a', 'b c') */ a FROM t;",
        "select/*+DISTRIBUTEBY('a', `b c`)*/a FROM t;",
        "SELECT /*+ -- why\r\n distributeBy (a, 'b c')\n */ a FROM t;"
      })
  void distributeByTakesLiteralsAndNames(String text) {
    Block block = onlyBlock(text);
    assertThat(block.hints()).hasSize(1);
    assertThat(((Hint.DistributeBy) block.hints().get(0)).columns())
        .extracting(Name::text)
        .containsExactly("a", "b c");
  }

  @Test
  void distributeByKnowsThePlacesOfItsColumns() {
    MarkedText marked =
        MarkedText.of(
            "SELECT '中😀', /* ' */ 1;\nSELECT /*+ DISTRIBUTEBY(⟦'a'⟧, ⟦`b`⟧) */ a FROM t;");
    Hint.DistributeBy hint = (Hint.DistributeBy) onlyBlock(marked.text()).hints().get(0);
    assertThat(hint.columns()).extracting(Name::span).containsExactlyElementsOf(marked.spans());
  }

  @Test
  void lateDataSink() {
    MarkedText marked =
        MarkedText.of(
            "SELECT /*+ LATE_DATA_SINK('window.end.field'=⟦'e'⟧, 'sink.name'=⟦'s'⟧) */ a FROM t;");
    Hint.LateDataSink hint = (Hint.LateDataSink) onlyBlock(marked.text()).hints().get(0);
    assertThat(hint.sink()).isEqualTo(new Name("s", marked.spans().get(1)));
    assertThat(hint.windowStartField()).isEmpty();
    assertThat(hint.windowEndField()).contains(new Name("e", marked.spans().get(0)));
  }

  @Test
  void lookup() {
    Block block =
        onlyBlock(
            "SELECT /*+ LOOKUP('table'='d', 'shuffle'='TRUE', 'retry-strategy'='fixed_delay'),"
                + " LOOKUP('table'='e') */ a FROM t;");
    assertThat(block.hints())
        .extracting(hint -> ((Hint.Lookup) hint).table().text() + ((Hint.Lookup) hint).shuffle())
        .containsExactly("dtrue", "efalse");
  }

  @Test
  void flinksOwnHintsPassThroughInTheOrderWritten() {
    Block block =
        onlyBlock(
            "SELECT /*+ state_ttl('t'='1d'), BROADCAST(t), SHUFFLE_HASH(t), SHUFFLE_MERGE(t),"
                + " NEST_LOOP(t) */ a FROM t;");
    assertThat(block.hints())
        .extracting(hint -> hint.getClass().getSimpleName())
        .containsExactly("Native", "Broadcast", "Native", "Native", "Native");
  }

  @Test
  void broadcastIsFlinksOwnInBatchModeOnly() {
    String query = "SELECT /*+ BROADCAST('t') */ a FROM t;";
    String batch = "SET 'execution.runtime-mode' = 'BATCH';";
    assertThat(onlyBlock(batch + query).hints()).hasOnlyElementsOfType(Hint.Native.class);
    String streaming = query.replace("'t'", "t");
    assertThat(onlyBlock(batch + "RESET 'execution.runtime-mode';" + streaming).hints())
        .hasOnlyElementsOfType(Hint.Broadcast.class);
    assertThat(onlyBlock(batch + "RESET;" + streaming).hints())
        .hasOnlyElementsOfType(Hint.Broadcast.class);
    assertThat(onlyBlock(batch + "SET 'execution.runtime-mode' = 'streaming';" + streaming).hints())
        .hasOnlyElementsOfType(Hint.Broadcast.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM a JOIN c.⟦x⟧ ⟦/*+ OPTIONS(⟧⟦'duplicate.left'='true'⟧,"
            + " ⟦'duplicate.right' = 'false'⟧, 'k'='v', ⟦'source.parallelism'='7'⟧) */ AS b ON a.i = b.i;"
      })
  void optionsBehindATable(String text) {
    MarkedText marked = MarkedText.of(text);
    TableReference table = onlyBlock(marked.text()).tables().get(1);
    assertThat(table.path()).containsExactly("c", "x");
    assertThat(table.exposedName()).isEqualTo("b");
    assertThat(table.options())
        .extracting(option -> option.key().text())
        .containsExactly("duplicate.left", "duplicate.right", "k", "source.parallelism");
    assertThat(table.hints())
        .containsExactly(
            new Hint.DuplicateLeft(marked.spans().get(2), true),
            new Hint.DuplicateRight(marked.spans().get(3), false),
            new Hint.SourceParallelism(marked.spans().get(4), 7));
    assertThat(table.optionsHint().map(Span::start))
        .isEqualTo(Optional.of(marked.spans().get(1).start()));
  }

  @Test
  void optionsBeforeATableAsOnlyTheVendorHasIt() {
    MarkedText marked =
        MarkedText.of(
            "SELECT * FROM a AS x JOIN ⟦/*+ OPTIONS('duplicate.right'='true') */⟧ ⟦c.b⟧ y ON x.i = y.i;");
    Block block = onlyBlock(marked.text());
    assertThat(block.tables().get(0).hints()).isEmpty();
    TableReference table = block.tables().get(1);
    assertThat(table.optionsHint()).contains(marked.spans().get(0));
    assertThat(table.nameSpan()).isEqualTo(marked.spans().get(1));
    assertThat(table.hints()).hasOnlyElementsOfType(Hint.DuplicateRight.class);
  }

  @Test
  void optionsOfTheConnectorBesideTheVendorsBeforeATable() {
    Block block =
        onlyBlock(
            "SELECT * FROM a JOIN /*+ OPTIONS('duplicate.right'='true', 'k'='v') */ b ON a.i = b.i;");
    TableReference table = block.tables().get(1);
    assertThat(table.hints()).hasOnlyElementsOfType(Hint.DuplicateRight.class);
    assertThat(table.options())
        .extracting(option -> option.key().text())
        .containsExactly("duplicate.right", "k");
  }

  @Test
  void aHintBetweenANameAndItsAliasBelongsToTheName() {
    Block block =
        onlyBlock("SELECT * FROM a /*+ OPTIONS('duplicate.left'='true') */ b, c WHERE b.i = c.i;");
    assertThat(block.tables()).extracting(TableReference::exposedName).containsExactly("b", "c");
    assertThat(block.tables().get(0).hints()).hasSize(1);
    assertThat(block.tables().get(1).hints()).isEmpty();
  }

  @Test
  void sourceParallelismInCreateTable() {
    MarkedText marked =
        MarkedText.of("CREATE TABLE t (a INT) WITH ('k'='v', ⟦'source.parallelism' = '2'⟧);");
    Statement.CreateTable create =
        (Statement.CreateTable) readWithoutFindings(marked.text()).statements().get(0);
    assertThat(create.hints())
        .containsExactly(new Hint.SourceParallelism(marked.spans().get(0), 2));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO s SELECT /*+ DISTRIBUTEBY('a') */ a FROM t;",
        "CREATE VIEW v AS SELECT /*+ DISTRIBUTEBY('a') */ a FROM t;",
        "CREATE TABLE v AS SELECT /*+ DISTRIBUTEBY('a') */ a FROM t;",
        "EXPLAIN SELECT /*+ DISTRIBUTEBY('a') */ a FROM t;",
        "EXECUTE STATEMENT SET BEGIN INSERT INTO s SELECT /*+ DISTRIBUTEBY('a') */ a FROM t; END;",
        "BEGIN STATEMENT SET; INSERT INTO s SELECT /*+ DISTRIBUTEBY('a') */ a FROM t; END;",
        "SELECT a FROM (SELECT /*+ DISTRIBUTEBY('a') */ a FROM t) x;",
        "WITH c AS (SELECT /*+ DISTRIBUTEBY('a') */ a FROM t) SELECT a FROM c;",
        "SELECT a FROM u UNION ALL SELECT /*+ DISTRIBUTEBY('a') */ a FROM t;",
        "SELECT a FROM u WHERE a IN (SELECT /*+ DISTRIBUTEBY('a') */ a FROM t);",
        "SELECT * FROM TABLE(TUMBLE((SELECT /*+ DISTRIBUTEBY('a') */ a FROM t), DESCRIPTOR(r), INTERVAL '1' DAY));"
      })
  void aHintMayStandInAnySelectAndBelongsToItAlone(String text) {
    List<Block> hinted =
        readWithoutFindings(text).statements().stream()
            .flatMap(statement -> Blocks.allOf(statement).stream())
            .filter(block -> !block.hints().isEmpty())
            .toList();
    assertThat(hinted).hasSize(1);
    assertThat(hinted.get(0).tables()).extracting(TableReference::exposedName).containsExactly("t");
  }
}
