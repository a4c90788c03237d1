package io.hintflow.transpiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import io.hintflow.transpiler.emission.PlanFormatException;
import io.hintflow.transpiler.emission.PlanJson;
import io.hintflow.transpiler.emission.PlanReader;
import io.hintflow.transpiler.plan.JobPlan;
import io.hintflow.transpiler.testing.ScriptCase;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The published form of plan.json, against all golden plans, and reading such a plan again. */
class PlanSchemaTest {
  private static final JsonSchema SCHEMA = schema();

  private static JsonSchema schema() {
    String path = "/io/hintflow/transpiler/plan-" + JobPlan.FORMAT_VERSION + ".schema.json";
    try (InputStream stream = PlanSchemaTest.class.getResourceAsStream(path)) {
      return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(stream);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  static Stream<Path> goldenPlans() {
    return ScriptCase.all()
        .flatMap(
            scriptCase ->
                Stream.of("1.20", "2.2")
                    .map(version -> scriptCase.folder().resolve("expected/" + version)))
        .map(folder -> folder.resolve("plan.json"));
  }

  @ParameterizedTest
  @MethodSource("goldenPlans")
  void everyPlanIsValidAndReadsBack(Path file) throws Exception {
    String json = Files.readString(file);
    assertThat(SCHEMA.validate(json, InputFormat.JSON)).isEmpty();
    assertThat(PlanJson.of(PlanReader.read(json))).isEqualTo(json);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"version\": 2            | \"version\": 1",
        "\"version\": 2            | \"version\": 2, \"colour\": \"red\"",
        "\"distribution\": \"hash\" | \"distribution\": \"hush\"",
        "\"lastLine\":             | \"last\":",
        "\"hint\":                 | \"hunt\":",
        "\"sink\":                 | \"sunk\":",
        "\"foundBy\": \"place\"     | \"foundBy\": \"luck\"",
      })
  void otherFormsAreNotValid(String written, String otherwise) throws IOException {
    String json = Files.readString(goldenPlan("distribute-sink-parallelism"));
    assertThat(json).contains(written.strip());
    assertThat(SCHEMA.validate(json.replace(written.strip(), otherwise.strip()), InputFormat.JSON))
        .isNotEmpty();
  }

  private static Path goldenPlan(String name) {
    return ScriptCase.all()
        .filter(scriptCase -> scriptCase.name().equals(name))
        .findFirst()
        .orElseThrow()
        .folder()
        .resolve("expected/2.2/plan.json");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"version\": 2  | \"version\": 1 | it is of version 1, written by an earlier hintflow, and this one reads version 2; transpile its script again",
        "\"version\": 2  | \"version\": 3 | it is of version 3, written by a later hintflow, and this one reads version 2; transpile its script again",
        "\"version\": 2  | \"edition\": 2 | it is not a plan of hintflow",
        "\"version\": 2, | \"version\": 2  | it is not JSON",
        "\"flink\": \"2.2\" | \"flink\": \"9.9\" | it is no whole plan: 'flink' is not a version that this one knows",
        "\"lastLine\":   | \"last\":      | it is no whole plan: 'lastLine' is not a number",
        "\"distribution\": \"hash\" | \"distribution\": \"hush\" | it is no whole plan: 'distribution' is not a way that rows travel",
        "\"id\": \"table/clicks\" | \"id\": \"insert/visits\" | it is no whole plan: 'id' is not the id of one stage only",
      })
  void whatIsNotAPlanOfThisVersionIsRefusedInOneSentence(
      String written, String otherwise, String sentence) throws IOException {
    String json = Files.readString(goldenPlan("distribute-sink-parallelism"));
    assertThat(json).contains(written.strip());
    String other = json.replace(written.strip(), otherwise.strip());
    assertThatThrownBy(() -> PlanReader.read(other))
        .isInstanceOf(PlanFormatException.class)
        .hasMessage(sentence.strip());
  }

  @Test
  void aPlanOfAnythingElseIsRefused() {
    for (String text : new String[] {"", "[]", "null", "{}", "\"plan\"", "{\"version\": 2}"}) {
      assertThatThrownBy(() -> PlanReader.read(text)).isInstanceOf(PlanFormatException.class);
    }
  }
}
