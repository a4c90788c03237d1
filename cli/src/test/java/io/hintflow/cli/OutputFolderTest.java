package io.hintflow.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputFolderTest {
  @TempDir private Path parent;

  private Path folder() {
    return parent.resolve("job");
  }

  private OutputFolder.Outcome write(SortedMap<String, String> files) throws CliException {
    return new OutputFolder(folder()).write(files);
  }

  /** The files of a job, and the plan that lists them. */
  private static SortedMap<String, String> job(String... paths) {
    SortedMap<String, String> files = new TreeMap<>();
    for (String path : paths) {
      files.put(path, "text of " + path);
    }
    files.put("plan.json", "");
    String list =
        files.keySet().stream().map(path -> '"' + path + '"').collect(Collectors.joining(", "));
    files.put("plan.json", "{\"files\": [" + list + "]}");
    return files;
  }

  private List<String> filesThere() throws IOException {
    try (Stream<Path> paths = Files.walk(folder())) {
      return paths
          .filter(path -> !path.equals(folder()))
          .map(path -> folder().relativize(path) + (Files.isDirectory(path) ? "/" : ""))
          .sorted()
          .toList();
    }
  }

  @Test
  void makesTheFolderAndAllInIt() throws Exception {
    assertThat(write(job("pom.xml", "src/a/Job.java")))
        .isEqualTo(new OutputFolder.Outcome(3, 0, 0));
    assertThat(filesThere())
        .containsExactly("plan.json", "pom.xml", "src/", "src/a/", "src/a/Job.java");
    assertThat(folder().resolve("pom.xml")).hasContent("text of pom.xml");
  }

  @Test
  void leavesAFileAloneWhoseBytesAreRight() throws Exception {
    write(job("a", "b"));
    FileTime longAgo = FileTime.fromMillis(1_000_000);
    Files.setLastModifiedTime(folder().resolve("a"), longAgo);
    Files.setLastModifiedTime(folder().resolve("b"), longAgo);
    SortedMap<String, String> files = job("a", "b");
    files.put("b", "new");

    assertThat(write(files)).isEqualTo(new OutputFolder.Outcome(1, 2, 0));
    assertThat(Files.getLastModifiedTime(folder().resolve("a"))).isEqualTo(longAgo);
    assertThat(Files.getLastModifiedTime(folder().resolve("b"))).isGreaterThan(longAgo);
    assertThat(folder().resolve("b")).hasContent("new");
  }

  @Test
  void removesWhatTheEarlierRunWroteAndTheFoldersThatAreEmptyThen() throws Exception {
    write(job("src/old/deep/Job.java", "src/Kept.java"));
    assertThat(write(job("src/Kept.java", "src/other/Job.java")))
        .isEqualTo(new OutputFolder.Outcome(2, 1, 1));
    assertThat(filesThere())
        .containsExactly("plan.json", "src/", "src/Kept.java", "src/other/", "src/other/Job.java");
  }

  @Test
  void touchesNothingElse() throws Exception {
    write(job("src/old/Job.java"));
    Files.writeString(folder().resolve("notes.txt"), "mine");
    Files.writeString(folder().resolve("src/old/Mine.java"), "mine");
    Files.createDirectories(folder().resolve("empty"));
    write(job("pom.xml"));
    assertThat(filesThere())
        .containsExactly(
            "empty/", "notes.txt", "plan.json", "pom.xml", "src/", "src/old/", "src/old/Mine.java");
    assertThat(folder().resolve("notes.txt")).hasContent("mine");
  }

  @Test
  void replacesWhatTheUserChangedOrDeletedInFilesOfTheJob() throws Exception {
    write(job("a", "b"));
    Files.writeString(folder().resolve("a"), "changed by hand");
    Files.delete(folder().resolve("b"));
    write(job("a", "b"));
    assertThat(folder().resolve("a")).hasContent("text of a");
    assertThat(folder().resolve("b")).hasContent("text of b");
  }

  @Test
  void refusesToOverwriteAFileThatNoEarlierRunWrote() throws Exception {
    Files.createDirectories(folder());
    Files.writeString(folder().resolve("pom.xml"), "mine");
    assertThatThrownBy(() -> write(job("a", "pom.xml")))
        .isInstanceOf(CliException.class)
        .hasMessageContaining("pom.xml was not written by hintflow");
    assertThat(filesThere()).containsExactly("pom.xml");
    assertThat(folder().resolve("pom.xml")).hasContent("mine");
  }

  @Test
  void takesAFolderOfTheRightFilesForItsOwnEvenWithoutAPlan() throws Exception {
    write(job("a"));
    Files.delete(folder().resolve("plan.json"));
    assertThat(write(job("a"))).isEqualTo(new OutputFolder.Outcome(1, 1, 0));
  }

  @Test
  void refusesAPlanThatIsNotItsOwn() throws Exception {
    Files.createDirectories(folder());
    for (String foreign :
        List.of("no json", "[]", "{}", "{\"files\": 1}", "{\"files\": [1]}", "", "null")) {
      Files.writeString(folder().resolve("plan.json"), foreign);
      assertThatThrownBy(() -> write(job("a")))
          .as(foreign)
          .isInstanceOf(CliException.class)
          .hasMessageContaining("was not written by hintflow");
      assertThat(folder().resolve("plan.json")).hasContent(foreign);
    }
  }

  @Test
  void followsNoPathOutOfTheFolder() throws Exception {
    Path outside = Files.writeString(parent.resolve("outside"), "mine");
    write(job("a"));
    Files.createSymbolicLink(folder().resolve("link"), parent);
    for (String path :
        List.of("../outside", outside.toString(), "src/../../outside", "link/outside", ".", "")) {
      Files.writeString(
          folder().resolve("plan.json"), "{\"files\": [\"" + path + "\", \"plan.json\"]}");
      assertThatThrownBy(() -> write(job("b")))
          .as(path)
          .isInstanceOf(CliException.class)
          .hasMessageContaining("outside that folder");
      assertThat(outside).hasContent("mine");
    }
  }

  @Test
  void writesNothingThroughALinkThatLeadsOut() throws Exception {
    Path elsewhere = Files.createDirectories(parent.resolve("elsewhere"));
    Files.createDirectories(folder());
    Files.createSymbolicLink(folder().resolve("src"), elsewhere);
    assertThatThrownBy(() -> write(job("src/Job.java"))).isInstanceOf(CliException.class);
    assertThat(elsewhere).isEmptyDirectory();
  }

  @Test
  void saysWhenTheFolderCannotBe() throws Exception {
    Path file = Files.writeString(parent.resolve("file"), "mine");
    assertThatThrownBy(() -> new OutputFolder(file).write(job("a")))
        .isInstanceOf(CliException.class)
        .hasMessage(file + " is a file, not a folder");
    assertThatThrownBy(() -> new OutputFolder(file.resolve("below")).write(job("a")))
        .isInstanceOf(CliException.class)
        .hasMessageStartingWith("cannot write to " + file.resolve("below") + ": ");
    assertThat(file).hasContent("mine");
  }

  @Test
  void changesNothingIfAFolderIsInTheWay() throws Exception {
    write(job("a"));
    Files.createDirectories(folder().resolve("b"));
    assertThatThrownBy(() -> write(job("b")))
        .isInstanceOf(CliException.class)
        .hasMessageContaining("is not a file");
    assertThat(filesThere()).containsExactly("a", "b/", "plan.json");
  }

  @Test
  void tellsWhatDiffersAndTouchesNothing() throws Exception {
    OutputFolder folder = new OutputFolder(folder());
    assertThat(folder.differences(job("a")))
        .isEqualTo(
            Map.of(
                "a",
                OutputFolder.Difference.MISSING,
                "plan.json",
                OutputFolder.Difference.MISSING));
    assertThat(folder()).doesNotExist();

    write(job("a", "src/b", "c"));
    assertThat(folder.differences(job("a", "src/b", "c"))).isEmpty();
    Files.writeString(folder().resolve("a"), "changed by hand");
    Files.writeString(folder().resolve("notes.txt"), "mine");
    Files.delete(folder().resolve("c"));
    List<String> before = filesThere();
    assertThat(folder.differences(job("a", "src/d")))
        .isEqualTo(
            Map.of(
                "a", OutputFolder.Difference.CHANGED,
                "plan.json", OutputFolder.Difference.CHANGED,
                "src/b", OutputFolder.Difference.LEFT_OVER,
                "src/d", OutputFolder.Difference.MISSING));
    assertThat(filesThere()).isEqualTo(before);
    assertThat(folder().resolve("a")).hasContent("changed by hand");
  }

  @Test
  void refusesToTellWhatDiffersWhereItWouldNotWrite() throws Exception {
    Files.createDirectories(folder());
    Files.writeString(folder().resolve("pom.xml"), "mine");
    assertThatThrownBy(() -> new OutputFolder(folder()).differences(job("pom.xml")))
        .isInstanceOf(CliException.class)
        .hasMessageContaining("pom.xml was not written by hintflow");
    assertThatThrownBy(
            () -> new OutputFolder(folder().resolve("pom.xml")).differences(job("pom.xml")))
        .isInstanceOf(CliException.class)
        .hasMessageContaining("is a file, not a folder");
  }

  @Test
  void turnsAFileIntoAFolder() throws Exception {
    write(job("a"));
    write(job("a/b"));
    assertThat(filesThere()).containsExactly("a/", "a/b", "plan.json");
  }
}
