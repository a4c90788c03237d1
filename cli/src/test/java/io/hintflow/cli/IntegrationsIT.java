package io.hintflow.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hintflow.cli.servers.Maven;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/**
 * What others' tools are given to run hintflow with: hooks for pre-commit, an action for GitHub, a
 * template for GitLab, a project for Maven. Each is run as its tool would, with the packaged
 * program.
 */
class IntegrationsIT {
  private static final Path HINTFLOW = Path.of("..").toAbsolutePath().normalize();

  private static final String CLEAN =
      """
      CREATE TABLE visits (visitor STRING, page STRING) WITH ('connector' = 'datagen');
      SELECT /*+ DISTRIBUTEBY('visitor') */ visitor, page FROM visits;
      """;

  private static final String WARNED = CLEAN.stripTrailing().replaceAll(";$", "");

  private static final String WRONG = CLEAN.replace("'visitor'", "'vistor'");

  @TempDir private Path folder;

  @BeforeEach
  void writeScripts() throws IOException {
    Files.writeString(folder.resolve("clean.sql"), CLEAN);
    Files.writeString(folder.resolve("warned script.sql"), WARNED);
    Files.writeString(folder.resolve("wrong.sql"), WRONG);
  }

  // ---------------------------------------------------------------------------- pre-commit

  @Test
  void aHookOfPreCommitChecksTheFilesThatItIsGiven() throws Exception {
    JsonNode hook = hook("hintflow-check");
    Pattern files = Pattern.compile(hook.get("files").asText());
    assertThat(files.matcher("jobs/visits.sql").find()).isTrue();
    assertThat(files.matcher("jobs/visits.sql.bak").find()).isFalse();

    assertThat(run(hook, "clean.sql", "warned script.sql").exitCode()).isZero();
    Invocation strict = run(hook, "--strict", "clean.sql", "warned script.sql");
    assertThat(strict.exitCode()).isEqualTo(1);
    assertThat(strict.out()).contains(" --> warned script.sql:2:64\n");
  }

  @Test
  void aHookOfPreCommitTellsOfAJobThatIsNotWhatItsScriptGives() throws Exception {
    JsonNode hook = hook("hintflow-transpile-check");
    assertThat(hook.get("pass_filenames").asBoolean()).isFalse();
    String[] arguments = {"clean.sql", "-o", "job"};
    Invocation missing = run(hook, arguments);
    assertThat(missing.exitCode()).as(missing.err()).isEqualTo(1);
    assertThat(folder.resolve("job")).doesNotExist();
    Invocation.of("transpile", folder.resolve("clean.sql"), "-o", folder.resolve("job"));
    assertThat(run(hook, arguments).exitCode()).isZero();
  }

  private static JsonNode hook(String id) throws IOException {
    return elements(yaml(HINTFLOW.resolve(".pre-commit-hooks.yaml")))
        .filter(hook -> hook.get("id").asText().equals(id))
        .findFirst()
        .orElseThrow();
  }

  /** As pre-commit does: the words of the entry, then the user's arguments and the files. */
  private Invocation run(JsonNode hook, String... arguments) throws Exception {
    assertThat(hook.get("language").asText()).isEqualTo("system");
    return start(
        Map.of("PATH", HINTFLOW.resolve("cli/bin") + File.pathSeparator + System.getenv("PATH")),
        Stream.concat(Stream.of(hook.get("entry").asText().split(" ")), Stream.of(arguments))
            .toList());
  }

  // ---------------------------------------------------------------------------- GitHub

  @Test
  void theActionOfGithubMarksFindingsAndWritesThemAsSarif() throws Exception {
    Map<String, String> inputs =
        Map.of(
            "scripts", "clean.sql\n  \nwrong.sql\n",
            "sarif", "hintflow.sarif",
            "hintflow", HINTFLOW.toString());
    Invocation check = check(inputs);
    assertThat(check.exitCode()).as(check.err()).isEqualTo(1);
    assertThat(check.out().lines())
        .singleElement()
        .asString()
        .startsWith("::error file=wrong.sql,line=2,col=25,");
    JsonNode sarif = new ObjectMapper().readTree(folder.resolve("hintflow.sarif").toFile());
    assertThat(sarif.at("/runs/0/results/0/ruleId").asText()).isEqualTo("HF401");
  }

  @Test
  void theActionOfGithubTakesItsInputsAsTheyAre() throws Exception {
    Invocation strict =
        check(Map.of("scripts", "warned script.sql", "strict", "true", "flink-version", "1.20"));
    assertThat(strict.exitCode()).isEqualTo(1);
    assertThat(strict.out()).startsWith("::warning file=warned script.sql,line=2,");
    Invocation version = check(Map.of("scripts", "clean.sql", "flink-version", "0.9"));
    assertThat(version.exitCode()).isEqualTo(2);
    assertThat(version.err()).contains("Flink '0.9'");
    Invocation command = check(Map.of("scripts", "$(touch touched)\n--help"));
    assertThat(command.exitCode()).isEqualTo(2);
    assertThat(folder.resolve("touched")).doesNotExist();
  }

  @Test
  void theActionOfGithubBuildsWhatItRuns() throws Exception {
    // Make is only asked what it would do.
    Invocation build = runStep("Build hintflow", Map.of("MAKEFLAGS", "--dry-run"), Map.of());
    assertThat(build.exitCode()).as(build.err()).isZero();
    assertThat(build.out()).contains("package -DskipTests");
  }

  private Invocation check(Map<String, String> inputs) throws Exception {
    return runStep("Check the scripts", Map.of(), inputs);
  }

  /** Runs a step of the action as a runner does, with inputs of which the others have defaults. */
  private Invocation runStep(
      String name, Map<String, String> environment, Map<String, String> given) throws Exception {
    Path file = HINTFLOW.resolve(".github/actions/check/action.yml");
    JsonNode action = yaml(file);
    Map<String, String> inputs = new LinkedHashMap<>();
    action
        .get("inputs")
        .properties()
        .forEach(input -> inputs.put(input.getKey(), input.getValue().get("default").asText()));
    assertThat(inputs.keySet()).containsAll(given.keySet());
    inputs.putAll(given);
    JsonNode step =
        elements(action.at("/runs/steps"))
            .filter(candidate -> candidate.path("name").asText().equals(name))
            .findFirst()
            .orElseThrow();
    assertThat(step.get("shell").asText()).isEqualTo("bash");
    // An input as text of the program could be a command of whoever opens a pull request.
    assertThat(step.get("run").asText()).doesNotContain("${{");
    Map<String, String> variables = new LinkedHashMap<>(environment);
    variables.put("GITHUB_ACTION_PATH", file.getParent().toString());
    step.path("env")
        .properties()
        .forEach(
            variable ->
                variables.put(variable.getKey(), valueOf(variable.getValue().asText(), inputs)));
    Path program = Files.writeString(folder.resolve("step.sh"), step.get("run").asText());
    return start(
        variables, List.of("bash", "--noprofile", "--norc", "-eo", "pipefail", program.toString()));
  }

  private static String valueOf(String expression, Map<String, String> inputs) {
    Matcher input = Pattern.compile("\\$\\{\\{ inputs\\.([a-z-]+) }}").matcher(expression);
    assertThat(input.matches()).as(expression).isTrue();
    assertThat(inputs).containsKey(input.group(1));
    return inputs.get(input.group(1));
  }

  // ---------------------------------------------------------------------------- GitLab

  @Test
  void theTemplateOfGitlabReportsFindingsAsFailedTests() throws Exception {
    JsonNode job = yaml(HINTFLOW.resolve(".gitlab/hintflow.yml")).get("hintflow-check");
    Invocation wrong = runJob(job, "clean.sql wrong.sql");
    assertThat(wrong.exitCode()).as(wrong.err()).isEqualTo(1);
    Path report = folder.resolve(job.at("/artifacts/reports/junit").asText());
    assertThat(Files.readString(report)).contains("failures=\"1\"", "wrong.sql:2:25");
    assertThat(job.at("/artifacts/when").asText()).isEqualTo("always");
  }

  private Invocation runJob(JsonNode job, String scripts) throws Exception {
    Map<String, String> variables = new LinkedHashMap<>();
    job.get("variables")
        .properties()
        .forEach(variable -> variables.put(variable.getKey(), variable.getValue().asText()));
    variables.put("HINTFLOW", HINTFLOW.toString());
    variables.put("HINTFLOW_SCRIPTS", scripts);
    List<String> lines = new ArrayList<>();
    job.get("script").forEach(line -> lines.add(line.asText()));
    return start(variables, List.of("bash", "-ec", String.join("\n", lines)));
  }

  // ---------------------------------------------------------------------------- Maven

  @Test
  void aProjectOfMavenGeneratesAndCompilesItsJob() throws Exception {
    Path project = HINTFLOW.resolve("testdata/maven");
    for (String file : List.of("pom.xml", "src/main/sql/visits.sql")) {
      Files.createDirectories(folder.resolve(file).getParent());
      Files.copy(project.resolve(file), folder.resolve(file));
    }
    Maven.run(
        folder.resolve("pom.xml"), "compile", "-Dhintflow=" + HINTFLOW.resolve("cli/bin/hintflow"));
    assertThat(folder.resolve("target/classes/com/example/visits/VisitsJob.class")).exists();
    assertThat(folder.resolve("target/classes/config.yaml")).exists();
  }

  @Test
  void theReadmeShowsThatProject() throws IOException {
    String pom = trimmed(Files.readString(HINTFLOW.resolve("testdata/maven/pom.xml")));
    String readme = Files.readString(HINTFLOW.resolve("README.md"));
    assertThat(Pattern.compile("(?s)```xml\n(.*?)```").matcher(readme).results())
        .isNotEmpty()
        .allSatisfy(block -> assertThat(pom).contains(trimmed(block.group(1))));
  }

  private static String trimmed(String lines) {
    return String.join("\n", lines.lines().map(String::strip).toList());
  }

  // ---------------------------------------------------------------------------- parts of all

  private static JsonNode yaml(Path file) throws IOException {
    return new ObjectMapper().valueToTree(new Yaml().<Object>load(Files.readString(file)));
  }

  private static Stream<JsonNode> elements(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false);
  }

  private Invocation start(Map<String, String> environment, List<String> command) throws Exception {
    Path err = folder.resolve("stderr");
    // Java would look for the command on its own PATH rather than on that of the environment.
    List<String> found = Stream.concat(Stream.of("env"), command.stream()).toList();
    ProcessBuilder builder =
        new ProcessBuilder(found).directory(folder.toFile()).redirectError(err.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Invocation(process.waitFor(), out, Files.readString(err));
  }
}
