package io.hintflow.cli.servers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hintflow.transpiler.FlinkVersion;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A Flink cluster of three JVMs on the loopback interface: a JobManager and two TaskManagers of two
 * slots each, started from Flink's own entry points and used through its REST API alone.
 *
 * <p>Each JVM writes its log to a file in the cluster's folder. The JVMs end when the cluster is
 * closed or the JVM that started it goes.
 */
final class FlinkCluster implements AutoCloseable {
  private static final int TASK_MANAGERS = 2;
  private static final int SLOTS_OF_TASK_MANAGER = 2;
  private static final Duration START_LIMIT = Duration.ofMinutes(5);
  private static final Duration FORGOTTEN_AFTER = Duration.ofSeconds(30);
  private static final int QUOTED_LOG_LINES = 40;

  /** The packages of the JDK that a Flink distribution opens to Flink. */
  private static final List<String> OPENED_PACKAGES =
      List.of(
          "java.lang",
          "java.lang.reflect",
          "java.net",
          "java.io",
          "java.nio",
          "java.text",
          "java.time",
          "java.util",
          "java.util.concurrent",
          "java.util.concurrent.atomic",
          "java.util.concurrent.locks",
          "sun.nio.ch");

  private static final String CONFIGURATION =
      """
      jobmanager.rpc.address: 127.0.0.1
      jobmanager.bind-host: 127.0.0.1
      rest.address: 127.0.0.1
      rest.bind-address: 127.0.0.1
      taskmanager.host: 127.0.0.1
      taskmanager.bind-host: 127.0.0.1
      # A lost TaskManager shall be noticed soon, a slow machine not be taken for one.
      heartbeat.interval: 1000
      heartbeat.timeout: 15000
      pekko.startup-timeout: 1 min
      pekko.ask.timeout: 1 min
      taskmanager.numberOfTaskSlots: %d
      # Without the start scripts of a distribution, nothing derives these sizes from each other.
      taskmanager.cpu.cores: 1
      taskmanager.memory.framework.heap.size: 128m
      taskmanager.memory.framework.off-heap.size: 128m
      taskmanager.memory.task.heap.size: 384m
      taskmanager.memory.task.off-heap.size: 64m
      taskmanager.memory.managed.size: 32m
      taskmanager.memory.network.min: 64m
      taskmanager.memory.network.max: 64m
      taskmanager.memory.jvm-metaspace.size: 384m
      taskmanager.memory.jvm-overhead.min: 64m
      taskmanager.memory.jvm-overhead.max: 64m
      """
          .formatted(SLOTS_OF_TASK_MANAGER);

  private static final String LOGGING =
      """
      status = error
      appender.console.name = console
      appender.console.type = Console
      appender.console.layout.type = PatternLayout
      appender.console.layout.pattern = %d{HH:mm:ss,SSS} %-5p %c{1} - %m%n
      rootLogger.level = info
      rootLogger.appenderRef.console.ref = console
      # One line for each option of each client.
      logger.kafka.name = org.apache.kafka
      logger.kafka.level = warn
      """;

  private static final Pattern RPC_ADDRESS =
      Pattern.compile("Actor system started at pekko\\.tcp://flink@127\\.0\\.0\\.1:(\\d+)\\s");

  private static final Pattern REST_ADDRESS =
      Pattern.compile("Rest endpoint listening at (127\\.0\\.0\\.1:\\d+)\\s");

  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient http = HttpClient.newHttpClient();
  private final Path folder;
  private final String classPath;
  private final List<Path> logs = new ArrayList<>();
  private final List<Process> processes = new ArrayList<>();
  private final Deque<Process> taskManagers = new ArrayDeque<>();
  private URI restAddress;
  private int rpcPort;

  private FlinkCluster(Path folder, String classPath) {
    this.folder = folder;
    this.classPath = classPath;
  }

  /**
   * Starts a cluster that keeps its files in a folder, which must exist; all its slots are free.
   */
  static FlinkCluster start(FlinkVersion version, Path folder) throws Exception {
    FlinkCluster cluster = new FlinkCluster(folder.toAbsolutePath(), classPath(version, folder));
    try {
      Files.writeString(folder.resolve("config.yaml"), CONFIGURATION);
      Files.writeString(folder.resolve("log4j2.properties"), LOGGING);
      cluster.startJobManager();
      for (int i = 0; i < TASK_MANAGERS; i++) {
        cluster.startTaskManager();
      }
      Await.until("all slots of the cluster are free", START_LIMIT, cluster::hasAllSlotsFree);
    } catch (Exception | Error failure) {
      failure.addSuppressed(new AssertionError(cluster.logs()));
      cluster.close();
      throw failure;
    }
    return cluster;
  }

  private static String classPath(FlinkVersion version, Path folder) throws Exception {
    Path pom = folder.resolve("flink-cluster.xml");
    try (InputStream input = FlinkCluster.class.getResourceAsStream("flink-cluster.xml")) {
      Files.write(pom, input.readAllBytes());
    }
    Path classPath = folder.toAbsolutePath().resolve("classpath.txt");
    Maven.run(
        pom,
        "-Dflink.version=" + version.release(),
        "-Dmdep.outputFile=" + classPath,
        "dependency:build-classpath");
    return Files.readString(classPath).strip();
  }

  /** Until the JobManager has made itself the leader, it answers that it cannot tell. */
  private boolean hasAllSlotsFree() throws Exception {
    HttpResponse<String> response =
        http.send(request("/overview").GET().build(), BodyHandlers.ofString());
    return response.statusCode() == HttpURLConnection.HTTP_OK
        && JSON.readTree(response.body()).path("slots-available").asInt()
            == TASK_MANAGERS * SLOTS_OF_TASK_MANAGER;
  }

  private void startJobManager() throws Exception {
    // Port 0: a free one, found by the JobManager itself.
    Process jobManager =
        startJvm(
            "jobmanager",
            List.of("-Xmx512m", "-XX:MaxMetaspaceSize=256m"),
            "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint",
            Map.of("jobmanager.rpc.port", "0", "rest.bind-port", "0"));
    rpcPort = Integer.parseInt(awaitInLog(jobManager, RPC_ADDRESS));
    restAddress = URI.create("http://" + awaitInLog(jobManager, REST_ADDRESS));
  }

  /** The first group of a pattern, as soon as the JobManager's log has it. */
  private String awaitInLog(Process jobManager, Pattern pattern) throws Exception {
    Await.until(
        "the JobManager has logged " + pattern,
        START_LIMIT,
        () -> {
          if (!jobManager.isAlive()) {
            throw new AssertionError("The JobManager has ended.");
          }
          return pattern.matcher(Files.readString(logs.get(0))).find();
        });
    return pattern
        .matcher(Files.readString(logs.get(0)))
        .results()
        .findFirst()
        .orElseThrow()
        .group(1);
  }

  /** Starts one more TaskManager. Its slots are there some seconds later. */
  void startTaskManager() throws IOException {
    String name = "taskmanager-" + logs.size();
    taskManagers.add(
        startJvm(
            name,
            List.of("-Xmx512m", "-XX:MaxDirectMemorySize=256m", "-XX:MaxMetaspaceSize=384m"),
            "org.apache.flink.runtime.taskexecutor.TaskManagerRunner",
            Map.of(
                "jobmanager.rpc.port",
                Integer.toString(rpcPort),
                "taskmanager.resource-id",
                name)));
  }

  /** Kills the TaskManager that was started first, and its tasks with it. */
  void killTaskManager() throws InterruptedException {
    taskManagers.remove().destroyForcibly().waitFor();
  }

  private Process startJvm(
      String name, List<String> jvmArguments, String mainClass, Map<String, String> options)
      throws IOException {
    Path temporary = Files.createDirectories(folder.resolve(name));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvmArguments);
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    for (String opened : OPENED_PACKAGES) {
      command.add("--add-opens=java.base/" + opened + "=ALL-UNNAMED");
    }
    command.add("-Djava.io.tmpdir=" + temporary);
    command.add("-Dlog4j.configurationFile=" + folder.resolve("log4j2.properties"));
    command.addAll(List.of("-cp", testClasses() + File.pathSeparator + classPath));
    command.addAll(List.of(EndsWithParent.class.getName(), mainClass));
    command.addAll(List.of("--configDir", folder.toString()));
    options.forEach((key, value) -> command.add("-D%s=%s".formatted(key, value)));
    Path log = folder.resolve(name + ".log");
    logs.add(log);
    Process process =
        new ProcessBuilder(command)
            .directory(temporary.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    processes.add(process);
    return process;
  }

  private static Path testClasses() {
    try {
      return Path.of(
          EndsWithParent.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Uploads the jar and runs it.
   *
   * @param arguments for the job's main
   * @return the job's id
   */
  String submit(Path jar, List<String> arguments) throws Exception {
    return run(jar, Map.of("programArgsList", arguments));
  }

  /**
   * As {@link #submit(Path, List)}.
   *
   * @param savepoint where the job goes on
   */
  String submit(Path jar, List<String> arguments, String savepoint) throws Exception {
    return run(jar, Map.of("programArgsList", arguments, "savepointPath", savepoint));
  }

  private String run(Path jar, Map<String, Object> request) throws Exception {
    String boundary = "a-line-that-is-in-no-jar-" + System.nanoTime();
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.writeBytes(
        """
        --%s\r
        Content-Disposition: form-data; name="jarfile"; filename="%s"\r
        Content-Type: application/x-java-archive\r
        \r
        """
            .formatted(boundary, jar.getFileName())
            .getBytes(StandardCharsets.UTF_8));
    body.writeBytes(Files.readAllBytes(jar));
    body.writeBytes("\r\n--%s--\r\n".formatted(boundary).getBytes(StandardCharsets.UTF_8));
    JsonNode uploaded =
        send(
            request("/jars/upload")
                .header("Content-Type", "multipart/form-data; boundary=" + boundary)
                .POST(BodyPublishers.ofByteArray(body.toByteArray())));
    String storedName = Path.of(uploaded.path("filename").asText()).getFileName().toString();
    return send(request("/jars/%s/run".formatted(storedName))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(JSON.writeValueAsString(request))))
        .path("jobid")
        .asText();
  }

  /**
   * Has the job write a savepoint and end there.
   *
   * @param drain whether all windows are to end too, as at the end of the input
   * @return where it is
   * @throws AssertionError if it fails, or takes longer
   */
  String stopWithSavepoint(String job, boolean drain, Duration limit) throws Exception {
    String trigger =
        send(request("/jobs/%s/stop".formatted(job))
                .header("Content-Type", "application/json")
                .POST(
                    BodyPublishers.ofString(
                        JSON.writeValueAsString(
                            Map.of(
                                "targetDirectory",
                                folder.resolve("savepoints").toUri(),
                                "drain",
                                drain)))))
            .path("request-id")
            .asText();
    String path = "/jobs/%s/savepoints/%s".formatted(job, trigger);
    Await.until("the savepoint is written", limit, () -> isCompleted(path));
    JsonNode savepoint = get(path).path("operation");
    if (!savepoint.has("location")) {
      throw new AssertionError("There is no savepoint: " + savepoint.toPrettyString());
    }
    awaitEnd(job, limit);
    return savepoint.path("location").asText();
  }

  /** How many rows the sources of a job have given out. */
  long rowsRead(String job) throws Exception {
    long rows = 0;
    for (JsonNode vertex : get("/jobs/" + job).path("vertices")) {
      if (vertex.path("name").asText().startsWith("Source")) {
        rows += vertex.path("metrics").path("write-records").asLong();
      }
    }
    return rows;
  }

  /** The graph of a job, sources first. */
  List<JobVertex> graph(String job) throws Exception {
    JsonNode details = get("/jobs/" + job);
    Map<String, JsonNode> vertices = new LinkedHashMap<>();
    details.path("vertices").forEach(vertex -> vertices.put(vertex.path("id").asText(), vertex));
    List<JobVertex> graph = new ArrayList<>();
    Map<String, List<JobVertex.Input>> inputs = new LinkedHashMap<>();
    for (JsonNode node : details.path("plan").path("nodes")) {
      for (JsonNode input : node.path("inputs")) {
        inputs
            .computeIfAbsent(node.path("id").asText(), id -> new ArrayList<>())
            .add(
                new JobVertex.Input(
                    vertices.get(input.path("id").asText()).path("name").asText(),
                    input.path("ship_strategy").asText()));
      }
    }
    vertices.forEach(
        (id, vertex) ->
            graph.add(
                new JobVertex(
                    vertex.path("name").asText(),
                    vertex.path("parallelism").asInt(),
                    List.copyOf(inputs.getOrDefault(id, List.of())))));
    return List.copyOf(graph);
  }

  /**
   * Waits until the job has read all its input and written all its output.
   *
   * @throws AssertionError if it fails, or takes longer
   */
  void awaitEnd(String job, Duration limit) throws Exception {
    Await.until("the job has finished", limit, () -> hasFinished(job));
  }

  /**
   * As {@link #awaitEnd}, of a job that takes no checkpoints of its own accord: its tasks need one
   * to end.
   */
  void awaitEndWithCheckpoints(String job, Duration limit) throws Exception {
    Await.until(
        "the job has finished",
        limit,
        () -> {
          checkpoint(job);
          return hasFinished(job);
        });
  }

  private boolean hasFinished(String job) throws Exception {
    String state = get("/jobs/" + job).path("state").asText();
    if (state.equals("FAILED") || state.equals("CANCELED")) {
      throw new AssertionError(
          "The job is %s: %s"
              .formatted(state, get("/jobs/%s/exceptions".formatted(job)).toPrettyString()));
    }
    return state.equals("FINISHED");
  }

  /**
   * Has the job take a checkpoint, and waits for it.
   *
   * @return whether it has succeeded; while some tasks do not run, it fails
   */
  boolean checkpoint(String job) throws Exception {
    String checkpoints = "/jobs/%s/checkpoints".formatted(job);
    String trigger =
        send(request(checkpoints)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{}")))
            .path("request-id")
            .asText();
    String path = checkpoints + "/" + trigger;
    // Of a job that fails just then, Flink forgets who waits.
    long end = System.nanoTime() + FORGOTTEN_AFTER.toNanos();
    while (!isCompleted(path) && System.nanoTime() < end) {
      Thread.sleep(100);
    }
    return isCompleted(path) && !get(path).path("operation").has("failureCause");
  }

  /**
   * How often the job failed; it was then restarted. Unlike its metric of restarts, this is told of
   * a job that has ended too.
   */
  int failures(String job) throws Exception {
    return get("/jobs/%s/exceptions".formatted(job))
        .path("exceptionHistory")
        .path("entries")
        .size();
  }

  /** Whether what was asked for has come to its end, well or not. */
  private boolean isCompleted(String path) throws Exception {
    return get(path).path("status").path("id").asText().equals("COMPLETED");
  }

  private JsonNode get(String path) throws Exception {
    return send(request(path).GET());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(restAddress.resolve(path)).timeout(Duration.ofMinutes(2));
  }

  private JsonNode send(HttpRequest.Builder request) throws Exception {
    HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
    if (response.statusCode() >= 300) {
      throw new AssertionError(
          "%s: status %d: %s".formatted(response.uri(), response.statusCode(), response.body()));
    }
    return JSON.readTree(response.body());
  }

  /** The ends of the logs of all JVMs, those that have ended included. */
  String logs() {
    return logs.stream().map(FlinkCluster::end).collect(Collectors.joining());
  }

  private static String end(Path log) {
    try {
      List<String> lines = Files.readAllLines(log);
      return Stream.concat(
              Stream.of("---- the end of " + log),
              lines.stream().skip(Math.max(0, lines.size() - QUOTED_LOG_LINES)))
          .collect(Collectors.joining("\n", "", "\n"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    processes.forEach(Process::destroyForcibly);
    processes.forEach(process -> process.onExit().join());
  }
}
