package io.hintflow.transpiler.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.imageio.ImageIO;

/**
 * A headless Chromium with one page, driven through its debugging protocol. Only one thread may use
 * it.
 */
public final class Browser implements AutoCloseable {
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Process process;
  private final WebSocket socket;
  private final BlockingQueue<JsonNode> messages;
  private final String session;

  /** The navigations whose pages are loaded. */
  private final Set<String> loaded = new HashSet<>();

  private int lastCall;

  private Browser(Process process, WebSocket socket, BlockingQueue<JsonNode> messages)
      throws Exception {
    this.process = process;
    this.socket = socket;
    this.messages = messages;
    String target =
        call("", "Target.createTarget", Map.of("url", "about:blank")).get("targetId").asText();
    this.session =
        call("", "Target.attachToTarget", Map.of("targetId", target, "flatten", true))
            .get("sessionId")
            .asText();
    call("Page.enable", Map.of());
    call("Page.setLifecycleEventsEnabled", Map.of("enabled", true));
  }

  /** The program: what the environment's CHROME names, or the first known one on the PATH. */
  public static Optional<Path> program() {
    Stream<Path> named = Optional.ofNullable(System.getenv("CHROME")).map(Path::of).stream();
    Stream<Path> onPath =
        NAMES.stream()
            .flatMap(
                name ->
                    Stream.of(System.getenv("PATH").split(":"))
                        .map(folder -> Path.of(folder).resolve(name)));
    return Stream.concat(named, onPath).filter(Files::isExecutable).findFirst();
  }

  public static Browser start(Path program) throws Exception {
    Path folder = TemporaryFolder.create("browser");
    Process process =
        new ProcessBuilder(
                program.toString(),
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--disable-dev-shm-usage",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--no-first-run",
                "--hide-scrollbars",
                // Grey letters, of few colours.
                "--disable-lcd-text",
                "--remote-debugging-port=0",
                "--user-data-dir=" + folder.resolve("profile"),
                "about:blank")
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    try {
      URI address = address(process, folder);
      BlockingQueue<JsonNode> messages = new LinkedBlockingQueue<>();
      WebSocket socket =
          HttpClient.newBuilder()
              .proxy(HttpClient.Builder.NO_PROXY)
              .build()
              .newWebSocketBuilder()
              .buildAsync(address, new Receiver(messages))
              .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      return new Browser(process, socket, messages);
    } catch (Exception | Error failure) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      throw failure;
    }
  }

  /** The browser writes port and path into a file once it listens. */
  private static URI address(Process process, Path folder) throws Exception {
    Path file = folder.resolve("profile").resolve("DevToolsActivePort");
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < end && process.isAlive()) {
      List<String> lines = Files.exists(file) ? Files.readAllLines(file) : List.of();
      if (lines.size() == 2) {
        return URI.create("ws://127.0.0.1:" + lines.get(0) + lines.get(1));
      }
      process.waitFor(20, TimeUnit.MILLISECONDS);
    }
    throw new IllegalStateException(
        "The browser does not listen: " + Files.readString(folder.resolve("log")));
  }

  /** Puts the parts of messages together. */
  private static final class Receiver implements WebSocket.Listener {
    private final BlockingQueue<JsonNode> messages;
    private final StringBuilder message = new StringBuilder();

    Receiver(BlockingQueue<JsonNode> messages) {
      this.messages = messages;
    }

    @Override
    public CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean isLast) {
      message.append(part);
      if (isLast) {
        try {
          messages.add(JSON.readTree(message.toString()));
        } catch (IOException failure) {
          return CompletableFuture.failedFuture(failure);
        }
        message.setLength(0);
      }
      socket.request(1);
      return CompletableFuture.completedFuture(null);
    }
  }

  /** Shows a file, and with a fragment the place in it. */
  public void open(Path file, String fragment) throws Exception {
    // A blank page in between: else another fragment of the same file would load nothing.
    for (String address : List.of("about:blank", file.toUri() + fragment)) {
      String navigation = call("Page.navigate", Map.of("url", address)).get("loaderId").asText();
      while (!loaded.contains(navigation)) {
        note(next());
      }
    }
  }

  public void resize(int width, int height) throws Exception {
    call(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
  }

  /** Lets pages be light or dark, on a screen or on paper. */
  public void show(boolean dark, boolean onPaper) throws Exception {
    call(
        "Emulation.setEmulatedMedia",
        Map.of(
            "media",
            onPaper ? "print" : "screen",
            "features",
            List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
  }

  /** The value of a JavaScript expression in the page. */
  public JsonNode evaluate(String expression) throws Exception {
    JsonNode result =
        call("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true));
    if (result.has("exceptionDetails")) {
      throw new IllegalStateException("The page fails: " + result.get("exceptionDetails"));
    }
    return result.path("result").path("value");
  }

  /** Brings the first element that a selector finds into sight and clicks into its middle. */
  public void click(String selector) throws Exception {
    JsonNode place =
        evaluate(
            """
            (() => {
              const element = document.querySelector(%s);
              element.scrollIntoView({block: 'center', inline: 'center'});
              const place = element.getBoundingClientRect();
              return [place.left + place.width / 2, place.top + place.height / 2];
            })()
            """
                .formatted(JSON.writeValueAsString(selector)));
    for (String type : List.of("mousePressed", "mouseReleased")) {
      call(
          "Input.dispatchMouseEvent",
          Map.of(
              "type",
              type,
              "x",
              place.get(0).asDouble(),
              "y",
              place.get(1).asDouble(),
              "button",
              "left",
              "clickCount",
              1));
    }
  }

  /** Presses a key, such as {@code Enter} or {@code ArrowDown}. */
  public void press(String key) throws Exception {
    for (String type : List.of("rawKeyDown", "keyUp")) {
      call("Input.dispatchKeyEvent", Map.of("type", type, "key", key, "code", key));
    }
  }

  /** What the page looks like, as much of it as fits. */
  public BufferedImage screenshot() throws Exception {
    byte[] png =
        Base64.getDecoder().decode(call("Page.captureScreenshot", Map.of()).get("data").asText());
    return ImageIO.read(new ByteArrayInputStream(png));
  }

  private JsonNode call(String method, Map<String, ?> parameters) throws Exception {
    return call(session, method, parameters);
  }

  private JsonNode call(String session, String method, Map<String, ?> parameters) throws Exception {
    ObjectNode call = JSON.createObjectNode();
    call.put("id", ++lastCall).put("method", method).set("params", JSON.valueToTree(parameters));
    if (!session.isEmpty()) {
      call.put("sessionId", session);
    }
    socket
        .sendText(JSON.writeValueAsString(call), true)
        .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    JsonNode message = next();
    while (message.path("id").asInt() != lastCall) {
      note(message);
      message = next();
    }
    if (message.has("error")) {
      throw new IllegalStateException(method + ": " + message.get("error"));
    }
    return message.get("result");
  }

  /** A page may be loaded before the call is answered that has it loaded. */
  private void note(JsonNode event) {
    if (event.path("method").asText().equals("Page.lifecycleEvent")
        && event.at("/params/name").asText().equals("load")) {
      loaded.add(event.at("/params/loaderId").asText());
    }
  }

  private JsonNode next() throws InterruptedException {
    return Optional.ofNullable(messages.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .orElseThrow(() -> new IllegalStateException("The browser does not answer."));
  }

  @Override
  public void close() {
    socket.abort();
    process.destroy();
    try {
      if (process.waitFor(10, TimeUnit.SECONDS)) {
        return;
      }
    } catch (InterruptedException interruption) {
      Thread.currentThread().interrupt();
    }
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
