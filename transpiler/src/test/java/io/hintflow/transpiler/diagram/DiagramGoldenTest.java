package io.hintflow.transpiler.diagram;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each kind of picture of one job, against files that a person has looked at. */
class DiagramGoldenTest {
  @ParameterizedTest
  @ValueSource(strings = {"mmd", "dot", "svg", "html"})
  void isWhatItWas(String kind) throws IOException {
    Pictures orders = Pictures.of("orders");
    String picture =
        switch (kind) {
          case "mmd" -> Mermaid.of(orders.plan());
          case "dot" -> Dot.of(orders.plan());
          case "svg" -> orders.svg();
          default -> orders.html();
        };
    Path file = Pictures.FOLDER.resolve("orders." + kind);
    if ("rewrite".equals(System.getProperty("hintflow.golden"))) {
      Files.writeString(file, picture);
    }

    assertThat(Files.readString(file)).isEqualTo(picture);
  }
}
