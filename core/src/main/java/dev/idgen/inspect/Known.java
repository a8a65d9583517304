package dev.idgen.inspect;

import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A kind of 64-bit id that has a name here. */
interface Known {

  /** Name for programs, such as {@code twitter}. */
  String kind();

  /** Name for people. */
  String title();

  /** What else a reader should know; may be empty. */
  String note();

  /** Whether a number can be such an id. */
  boolean fits(BigInteger number);

  /** Takes a number apart that fits. */
  Cut cut(BigInteger number);

  /** The numbers that fit, for messages. */
  String range();

  /**
   * A number taken apart.
   *
   * @param fields in the order of the id
   * @param time null where there is none in it
   */
  record Cut(List<ReadingField> fields, @Nullable Instant time) {}
}
