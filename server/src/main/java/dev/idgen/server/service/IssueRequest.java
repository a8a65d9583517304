package dev.idgen.server.service;

import org.jspecify.annotations.Nullable;

/**
 * A request for ids, as any transport hands it over. A value.
 *
 * @param caller who asks
 * @param tag its name as sent; null: the default
 * @param count how many
 * @param shape what the reply can carry
 * @param content what a content id is of; null: nothing was sent
 * @param key idempotency key; null: none
 * @param waitNanos the longest that the caller waits; the engine may give up sooner
 */
public record IssueRequest(
    Caller caller,
    @Nullable String tag,
    Count count,
    Shape shape,
    TextEngine.@Nullable Content content,
    @Nullable String key,
    long waitNanos) {

  /** What the reply can carry. */
  public enum Shape {
    /** Ids of any kind. */
    ANY,
    /** 64-bit numbers alone. */
    NUMBERS,
    /** The last of numbers that follow one another. */
    CONTIGUOUS
  }

  /** A request of a caller who waits as long as the engine does. */
  public IssueRequest(
      Caller caller,
      @Nullable String tag,
      Count count,
      Shape shape,
      TextEngine.@Nullable Content content,
      @Nullable String key) {
    this(caller, tag, count, shape, content, key, Long.MAX_VALUE);
  }

  /** A request without a content and a key. */
  public static IssueRequest of(Caller caller, @Nullable String tag, Count count, Shape shape) {
    return new IssueRequest(caller, tag, count, shape, null, null);
  }
}
