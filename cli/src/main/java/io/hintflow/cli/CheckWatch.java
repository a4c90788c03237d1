package io.hintflow.cli;

import static java.nio.file.StandardWatchEventKinds.ENTRY_CREATE;
import static java.nio.file.StandardWatchEventKinds.ENTRY_DELETE;
import static java.nio.file.StandardWatchEventKinds.ENTRY_MODIFY;

import io.hintflow.cli.report.CheckedScript;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Checks scripts again whenever one is saved. Some editors write the file anew, others move a new
 * file over it, and scripts come and go: all of these are events of folders, so folders are watched
 * and not files.
 */
final class CheckWatch {
  /** A save is several events. What follows one this closely belongs to it. */
  private static final long QUIET_MILLIS = 20;

  /** How long events can follow each other, as when a branch is changed, before a check begins. */
  private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(150);

  private static final String CLEARED_SCREEN = "\u001b[H\u001b[2J\u001b[3J";

  private final HintflowCommand hintflow;
  private final List<String> words;
  private final Checker checker;
  private final boolean asOne;
  private final Map<Path, WatchKey> watched = new HashMap<>();

  /** What is known of the scripts that are checked together. */
  private Map<List<ScriptInput>, Outcome> outcomes = new LinkedHashMap<>();

  private List<String> faults = List.of();

  /**
   * What checking scripts gave.
   *
   * @param places where the scripts were read from, with links resolved
   * @param faults why they could not be read
   */
  private record Outcome(Set<Path> places, List<CheckedScript> checked, List<String> faults) {
    boolean isOutdatedBy(Set<Path> touched) {
      return places.stream().anyMatch(place -> touched.stream().anyMatch(place::startsWith));
    }
  }

  CheckWatch(HintflowCommand hintflow, List<String> words, Checker checker, boolean asOne) {
    this.hintflow = hintflow;
    this.words = words;
    this.checker = checker;
    this.asOne = asOne;
  }

  /**
   * Goes on until the thread is interrupted or nobody reads stdout any more; Ctrl-C ends the whole
   * program.
   *
   * @throws CliException if folders cannot be watched
   */
  int run() throws CliException {
    try (WatchService service = FileSystems.getDefault().newWatchService()) {
      check(select(service), Set.of());
      tell();
      while (!hintflow.terminal().out().checkError()) {
        Set<Path> touched = awaitEvents(service);
        if (check(select(service), touched)) {
          tell();
        }
      }
      return ExitCode.DONE;
    } catch (InterruptedException e) {
      return ExitCode.DONE;
    } catch (IOException e) {
      throw new CliException("cannot watch for changes: " + FileFaults.reason(e));
    }
  }

  /** Looks for the scripts, and sees to it that whatever changes them from now on is an event. */
  private ScriptSelection select(WatchService service) throws IOException {
    while (true) {
      ScriptSelection selection = ScriptSelection.of(words, ScriptSelection.STANDARD_INPUT);
      Set<Path> folders = new LinkedHashSet<>(selection.folders());
      selection
          .scripts()
          .forEach(script -> places(script).forEach(place -> folders.add(place.getParent())));
      if (!watch(folders, service)) {
        return selection;
      }
    }
  }

  /** Watches folders; false if all of them were watched before. */
  private boolean watch(Set<Path> folders, WatchService service) throws IOException {
    boolean isNew = false;
    for (Path folder : folders) {
      try {
        Path there = nearestThere(folder);
        // One that is watched already gives the same key; but a path may lead to another folder by
        // now, the former one having been moved away.
        WatchKey key = there.register(service, ENTRY_CREATE, ENTRY_MODIFY, ENTRY_DELETE);
        isNew |= key != watched.put(there, key);
      } catch (NoSuchFileException e) {
        isNew = true; // It has just gone: look again.
      }
    }
    return isNew;
  }

  /** The folder, with links resolved; as long as it does not exist, the one around it that does. */
  private static Path nearestThere(Path folder) throws IOException {
    Path there = folder.toAbsolutePath();
    while (!Files.isDirectory(there)) {
      there = there.getParent();
    }
    return there.toRealPath();
  }

  /** Where a script lies, and where it leads to if it is a link. */
  private static Set<Path> places(ScriptInput script) {
    Set<Path> places = new HashSet<>();
    if (script instanceof ScriptInput.File file) {
      Path path = file.path().toAbsolutePath();
      places.add(path);
      try {
        places.add(path.getParent().toRealPath().resolve(path.getFileName()));
        places.add(path.toRealPath());
      } catch (IOException e) {
        // It does not exist at the moment.
      }
    }
    return places;
  }

  /**
   * Checks what there is no outcome of, or one of before a touch; false if nothing is new, and
   * nothing is gone.
   */
  private boolean check(ScriptSelection selection, Set<Path> touched) {
    List<ScriptInput> all = selection.scripts();
    List<List<ScriptInput>> together =
        asOne && !all.isEmpty() ? List.of(all) : all.stream().map(List::of).toList();
    Map<List<ScriptInput>, Outcome> current = new LinkedHashMap<>();
    boolean isNew = false;
    for (List<ScriptInput> scripts : together) {
      Optional<Outcome> known =
          Optional.ofNullable(outcomes.get(scripts))
              .filter(outcome -> !outcome.isOutdatedBy(touched));
      isNew |= known.isEmpty();
      current.put(scripts, known.orElseGet(() -> outcome(scripts)));
    }
    boolean changed =
        isNew || current.size() != outcomes.size() || !selection.faults().equals(faults);
    outcomes = current;
    faults = selection.faults();
    return changed;
  }

  private Outcome outcome(List<ScriptInput> scripts) {
    Set<Path> places = new HashSet<>();
    scripts.forEach(script -> places.addAll(places(script)));
    try {
      return new Outcome(places, checker.checkAsOne(scripts), List.of());
    } catch (CliException e) {
      return new Outcome(places, List.of(), e.getMessage().lines().toList());
    }
  }

  private void tell() {
    Terminal terminal = hintflow.terminal();
    String header = "hintflow check --watch " + Glyph.harmless(String.join(" ", words));
    terminal.out().print(terminal.outShowsColor() ? CLEARED_SCREEN : "");
    terminal.out().println(Style.MESSAGE.apply(header, terminal.outShowsColor()));
    terminal.out().println();
    try (TextReport report = new TextReport(terminal.out(), terminal.outShowsColor())) {
      outcomes.values().forEach(outcome -> outcome.checked().forEach(report::add));
    }
    faults.forEach(hintflow::error);
    outcomes.values().forEach(outcome -> outcome.faults().forEach(hintflow::error));
  }

  /** What was touched: files, folders, or the root if anything may have been. */
  private static Set<Path> awaitEvents(WatchService service) throws InterruptedException {
    Set<Path> touched = new HashSet<>();
    Optional<WatchKey> key = Optional.of(service.take());
    long begin = System.nanoTime();
    while (key.isPresent()) {
      Path folder = (Path) key.get().watchable();
      for (WatchEvent<?> event : key.get().pollEvents()) {
        // An overflow has no context.
        touched.add(event.context() instanceof Path name ? folder.resolve(name) : folder.getRoot());
      }
      key.get().reset();
      boolean waitsOn = System.nanoTime() - begin < LONGEST_NANOS;
      key =
          waitsOn
              ? Optional.ofNullable(service.poll(QUIET_MILLIS, TimeUnit.MILLISECONDS))
              : Optional.empty();
    }
    return touched;
  }
}
