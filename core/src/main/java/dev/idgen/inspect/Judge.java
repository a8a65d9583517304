package dev.idgen.inspect;

import java.time.Duration;
import java.time.Instant;

/** Judges whether an id can have been made at a time. */
final class Judge {
  private static final Instant EARLIEST = Instant.parse("2006-01-01T00:00:00Z");
  private static final Duration CLOCKS_APART = Duration.ofDays(1);

  private final Instant latest;

  Judge(long nowMillis) {
    latest = Instant.ofEpochMilli(nowMillis).plus(CLOCKS_APART);
  }

  Verdict of(Instant time) {
    if (time.isBefore(EARLIEST)) {
      return new Verdict(false, "its time is before 2006");
    }
    if (time.isAfter(latest)) {
      return new Verdict(false, "its time is in the future");
    }
    return new Verdict(true, "its time is plausible");
  }

  /**
   * A judgement.
   *
   * @param plausible whether an id can have been made then
   * @param reason why
   */
  record Verdict(boolean plausible, String reason) {}
}
