package io.hintflow.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TerminalTest {
  @AfterEach
  void noLauncher() {
    System.clearProperty("hintflow.terminal");
  }

  @Test
  void colorsOnlyTheStreamsThatTheLauncherFoundToBeTerminals() {
    System.setProperty("hintflow.terminal", ",err");
    assertThat(Terminal.ofProcess(Map.of()).outShowsColor()).isFalse();
    assertThat(Terminal.ofProcess(Map.of()).errShowsColor()).isTrue();
    System.clearProperty("hintflow.terminal");
    assertThat(Terminal.ofProcess(Map.of()).errShowsColor()).isFalse();
  }

  @Test
  void respectsTheEnvironmentButNotBeforeTheUser() {
    System.setProperty("hintflow.terminal", "out,err");
    Terminal noColor = Terminal.ofProcess(Map.of("NO_COLOR", "1"));
    assertThat(noColor.errShowsColor()).isFalse();
    assertThat(noColor.with(ColorMode.ALWAYS).errShowsColor()).isTrue();
    assertThat(Terminal.ofProcess(Map.of("NO_COLOR", "")).errShowsColor()).isTrue();
    assertThat(Terminal.ofProcess(Map.of("TERM", "dumb")).outShowsColor()).isFalse();
    assertThat(Terminal.ofProcess(Map.of()).with(ColorMode.NEVER).outShowsColor()).isFalse();
  }
}
