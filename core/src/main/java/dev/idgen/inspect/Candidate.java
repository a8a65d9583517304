package dev.idgen.inspect;

import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A text to be read, and the readings found so far. Not thread-safe.
 *
 * <p>A text that may have a prefix is tried without it too.
 */
final class Candidate {
  final String text;
  final String prefix; // with what separates it; empty where there is none
  final Judge judge;
  private final List<Reading> readings;

  Candidate(String text, String prefix, Judge judge, List<Reading> readings) {
    this.text = text;
    this.prefix = prefix;
    this.judge = judge;
    this.readings = readings;
  }

  /** The best score of the readings so far; 0 where there is none. */
  int bestScore() {
    return readings.stream().mapToInt(Reading::score).max().orElse(0);
  }

  /** The same text without its first characters, which are a prefix. */
  Candidate without(String prefix) {
    return new Candidate(text.substring(prefix.length()), prefix, judge, readings);
  }

  /**
   * Adds a reading whose shape is certain to a degree, and whose time makes it more or less so.
   *
   * @param score with a plausible time, or without any time
   * @param doubtfulScore with an implausible time
   */
  void add(
      Kind kind,
      BigInteger number,
      List<ReadingField> fields,
      @Nullable Instant time,
      int score,
      int doubtfulScore) {
    if (time == null) {
      add(kind, number, fields, null, score, kind.shape);
      return;
    }
    Judge.Verdict verdict = judge.of(time);
    String reason = kind.shape + "; " + verdict.reason();
    add(kind, number, fields, time, verdict.plausible() ? score : doubtfulScore, reason);
  }

  void add(
      Kind kind,
      @Nullable BigInteger number,
      List<ReadingField> fields,
      @Nullable Instant time,
      int score,
      String reason) {
    List<ReadingField> all = new ArrayList<>();
    if (!prefix.isEmpty()) {
      all.add(new ReadingField("prefix", prefix, 0));
    }
    all.addAll(fields);
    readings.add(
        new Reading(kind.name, kind.title, kind.form, number, all, time, score, reason, kind.note));
  }

  /**
   * What all readings of a kind have in common.
   *
   * @param name for programs
   * @param title for people
   * @param form how the text is written
   * @param shape what about the text speaks for this kind
   * @param note what else a reader should know; may be empty
   */
  record Kind(String name, String title, String form, String shape, String note) {}
}
