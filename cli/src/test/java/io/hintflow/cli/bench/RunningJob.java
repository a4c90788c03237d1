package io.hintflow.cli.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.StreamSupport;

/**
 * A job with one join, which does not end by itself, watched through Flink's REST API. It ends when
 * it is closed.
 */
final class RunningJob implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long MILLISECONDS_BETWEEN_LOOKS = 500;

  private final HttpClient http = HttpClient.newHttpClient();
  private final CompletableFuture<Void> end;
  private final URI cluster;

  private RunningJob(CompletableFuture<Void> end, URI cluster) {
    this.end = end;
    this.cluster = cluster;
  }

  static RunningJob start(EmbeddedJob job, List<String> arguments) throws IOException {
    int port = Loopback.freePort();
    List<String> watched = new ArrayList<>(arguments);
    watched.add("-Drest.bind-port=" + port);
    watched.add("-Dmetrics.fetcher.update-interval=" + MILLISECONDS_BETWEEN_LOOKS);
    watched.add("-Dweb.refresh-interval=" + MILLISECONDS_BETWEEN_LOOKS);
    return new RunningJob(
        CompletableFuture.runAsync(() -> job.run(watched)), URI.create("http://localhost:" + port));
  }

  /**
   * Waits until the tasks of the join have received that many rows together, counted on both
   * inputs.
   */
  void awaitRows(long rows) throws IOException {
    long received = 0;
    while (received < rows) {
      pause();
      received = rowsOfJoinTasks().stream().mapToLong(Long::longValue).sum();
    }
    if (received > rows) {
      throw new IllegalStateException(
          "The join received %d rows, not %d".formatted(received, rows));
    }
  }

  /**
   * How many rows each task of the join has received so far, on both inputs; none if not yet known.
   */
  List<Long> rowsOfJoinTasks() throws IOException {
    String job = job();
    for (JsonNode vertex : get(job).path("vertices")) {
      if (vertex.path("name").asText().toLowerCase(Locale.ROOT).contains("join")) {
        JsonNode tasks = get(job + "/vertices/" + vertex.path("id").asText()).path("subtasks");
        return StreamSupport.stream(tasks.spliterator(), false)
            .map(task -> task.path("metrics").path("read-records").asLong())
            .toList();
      }
    }
    return List.of();
  }

  /** How many rows an operator has taken in and let out so far. */
  record Passed(long in, long out) {
    private static final String IN = ".numRecordsIn";
    private static final String OUT = ".numRecordsOut";
  }

  /**
   * The rows of the operator whose name begins so, in all its tasks together. They are a second old
   * at most, if they are asked for all the time: Flink fetches new ones behind an answer.
   */
  Passed passed(String operator) throws IOException {
    String job = job();
    for (JsonNode vertex : get(job).path("vertices")) {
      String metrics = job + "/vertices/" + vertex.path("id").asText() + "/subtasks/metrics";
      List<String> names =
          StreamSupport.stream(get(metrics).spliterator(), false)
              .map(metric -> metric.path("id").asText())
              .filter(name -> name.startsWith(operator))
              .toList();
      Optional<String> in = names.stream().filter(name -> name.endsWith(Passed.IN)).findFirst();
      Optional<String> out = names.stream().filter(name -> name.endsWith(Passed.OUT)).findFirst();
      if (in.isPresent() && out.isPresent()) {
        return new Passed(sum(metrics, in.get()), sum(metrics, out.get()));
      }
    }
    return new Passed(0, 0);
  }

  private long sum(String metrics, String name) throws IOException {
    String encoded = URLEncoder.encode(name, StandardCharsets.UTF_8);
    return get(metrics + "?agg=sum&get=" + encoded).path(0).path("sum").asLong();
  }

  /** Waits until an operator, see {@link #passed}, has let out more rows than that. */
  void awaitMoreThan(long rows, String operator) throws IOException {
    while (passed(operator).out() <= rows) {
      pause();
    }
  }

  /** Lets Flink write a whole checkpoint, and waits until it has. */
  void checkpoint() throws IOException {
    String checkpoints = job() + "/checkpoints";
    HttpRequest trigger =
        HttpRequest.newBuilder(cluster.resolve(checkpoints))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString("{\"checkpointType\": \"FULL\"}"))
            .build();
    String request = send(trigger).path("request-id").asText();
    JsonNode status = JSON.createObjectNode();
    while (!status.path("status").path("id").asText().equals("COMPLETED")) {
      pause();
      status = get(checkpoints + "/" + request);
    }
    if (status.path("operation").has("failure-cause")) {
      throw new IllegalStateException("No checkpoint: " + status);
    }
  }

  /** The path of the only job of the cluster. */
  private String job() throws IOException {
    while (true) {
      try {
        JsonNode jobs = get("/jobs").path("jobs");
        if (!jobs.isEmpty()) {
          return "/jobs/" + jobs.path(0).path("id").asText();
        }
      } catch (ConnectException notStarted) {
        // The cluster starts only when the job has been planned, and has no leader at first.
      }
      pause();
    }
  }

  /** Waits for half a second, in which the job must not end. */
  void pause() {
    if (end.isDone()) {
      end.join();
      throw new IllegalStateException("The job has ended");
    }
    try {
      Thread.sleep(MILLISECONDS_BETWEEN_LOOKS);
    } catch (InterruptedException interruption) {
      throw new IllegalStateException(interruption);
    }
  }

  private JsonNode get(String path) throws IOException {
    return send(HttpRequest.newBuilder(cluster.resolve(path)).build());
  }

  private JsonNode send(HttpRequest request) throws IOException {
    try {
      HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
      if (response.statusCode() == HttpURLConnection.HTTP_UNAVAILABLE) {
        throw new ConnectException(response.body());
      }
      if (response.statusCode() >= 300) {
        throw new IllegalStateException(request.uri() + ": " + response.body());
      }
      return JSON.readTree(response.body());
    } catch (InterruptedException interruption) {
      throw new IllegalStateException(interruption);
    }
  }

  @Override
  public void close() throws IOException {
    send(
        HttpRequest.newBuilder(cluster.resolve(job()))
            .method("PATCH", BodyPublishers.noBody())
            .build());
    try {
      end.join();
      throw new IllegalStateException("The job ended before it was cancelled");
    } catch (CompletionException cancelled) {
      // Its main fails when it is cancelled.
    }
  }
}
