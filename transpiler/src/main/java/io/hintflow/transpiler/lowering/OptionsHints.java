package io.hintflow.transpiler.lowering;

import io.hintflow.grammar.Hint;
import io.hintflow.grammar.SourceText;
import io.hintflow.grammar.Span;
import io.hintflow.grammar.TableOption;
import io.hintflow.grammar.TableReference;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The OPTIONS hints beside the tables of a script. What is left of them without the hints of ours
 * stands behind the table's name, where Flink's parser wants it.
 */
public final class OptionsHints {
  private final SourceText text;
  private final Edits edits;

  /** Options of ours that live on under the name of one of the connector's. */
  private final Map<Span, String> renamed = new HashMap<>();

  OptionsHints(SourceText text, Edits edits) {
    this.text = text;
    this.edits = edits;
  }

  /** Gives an option of ours a name that the connector knows. */
  public void rename(TableReference reference, TableOption option, String key) {
    Span rest = new Span(option.key().span().end(), option.span().end());
    renamed.put(option.span(), "'" + key + "'" + text.text(rest));
    removeHints(reference);
  }

  /** Takes the hints of ours out, and the comment with them if nothing else is in it. */
  public void removeHints(TableReference reference) {
    Optional<String> remaining = withoutHints(reference);
    if (remaining.isEmpty()) {
      remove(reference);
    } else if (isBeforeName(reference)) {
      remove(reference);
      edits.insert(reference.nameSpan().end(), " " + remaining.get());
    } else {
      edits.replace(reference.optionsHint().orElseThrow(), remaining.get());
    }
  }

  /** The hint without those of ours; empty if nothing is left. */
  public Optional<String> withoutHints(TableReference reference) {
    List<Span> hints = reference.hints().stream().map(Hint::span).toList();
    List<String> remaining =
        reference.options().stream()
            .map(TableOption::span)
            .filter(option -> renamed.containsKey(option) || !hints.contains(option))
            .map(option -> renamed.getOrDefault(option, text.text(option)))
            .toList();
    return remaining.isEmpty()
        ? Optional.empty()
        : Optional.of("/*+ OPTIONS(" + String.join(", ", remaining) + ") */");
  }

  /** Takes the whole hint out, and the space between it and the name. */
  public void remove(TableReference reference) {
    Span name = reference.nameSpan();
    reference
        .optionsHint()
        .map(
            hint ->
                isBeforeName(reference)
                    ? new Span(hint.start(), name.start())
                    : new Span(name.end(), hint.end()))
        .ifPresent(edits::remove);
  }

  private static boolean isBeforeName(TableReference reference) {
    return reference
        .optionsHint()
        .filter(hint -> hint.start() < reference.nameSpan().start())
        .isPresent();
  }
}
