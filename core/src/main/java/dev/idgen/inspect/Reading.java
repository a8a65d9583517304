package dev.idgen.inspect;

import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One way to read a text as an id. A value; immutable.
 *
 * @param kind name of the kind: {@code snowflake} for an id of this cluster, else such as {@code
 *     twitter}, {@code uuid-v7}, {@code ulid}
 * @param title the kind for people
 * @param form how the text is written, such as {@code decimal}, {@code crockford}, {@code uuid}
 * @param number all bits of the id, unsigned; null where the text is not a number
 * @param fields in the order of the id, the prefix of the text first; none where the kind has none
 * @param time when the id was made, as far as it says so; null where it does not
 * @param score 0..100: the higher, the more plausible among the readings of one text
 * @param reason why the score is what it is
 * @param note what else a reader should know; may be empty
 */
public record Reading(
    String kind,
    String title,
    String form,
    @Nullable BigInteger number,
    List<ReadingField> fields,
    @Nullable Instant time,
    int score,
    String reason,
    String note) {

  /** Copies the fields and refuses a score out of range. */
  public Reading {
    fields = List.copyOf(fields);
    if (score < 0 || score > 100) {
      throw new IllegalArgumentException("score: " + score + " (expected: 0..100)");
    }
  }
}
