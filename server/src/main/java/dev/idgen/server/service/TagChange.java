package dev.idgen.server.service;

import dev.idgen.store.TagRow;
import org.jspecify.annotations.Nullable;

/**
 * What a caller wants to be set for a tag; null: as it was, or its default on a new tag. A value.
 *
 * <p>The names are those of {@link TagRow}.
 */
public record TagChange(
    @Nullable String engine,
    @Nullable String text,
    @Nullable String prefix,
    @Nullable Long start,
    @Nullable Long maximum,
    @Nullable Long step,
    @Nullable Long stepMin,
    @Nullable Long stepMax,
    @Nullable Boolean critical,
    @Nullable Long ratePerSecond,
    @Nullable Long burst,
    @Nullable String owner,
    @Nullable String description) {

  /** The highest {@code ratePerSecond} and {@code burst}: an id a nanosecond; more is no limit. */
  public static final long MAX_RATE = 1_000_000_000;

  private static final int PARTS = 1_000;

  /** Nothing but an engine. */
  static TagChange toEngine(String engine) {
    return new TagChange(
        engine, null, null, null, null, null, null, null, null, null, null, null, null);
  }

  /** The row with what is wanted. */
  TagRow on(TagRow row, long nowMillis) {
    return new TagRow(
        row.tag(),
        or(engine, row.engine()),
        or(text, row.text()),
        or(prefix, row.prefix()),
        or(start, row.start()),
        or(maximum, row.maximum()),
        or(step, row.step()),
        or(stepMin, row.stepMin()),
        or(stepMax, row.stepMax()),
        or(critical, row.critical()),
        or(ratePerSecond, row.ratePerSecond()),
        or(burst, row.burst()),
        or(owner, row.owner()),
        or(description, row.description()),
        row.floor(),
        row.version(),
        row.revision(),
        false,
        row.createdMillis(),
        nowMillis);
  }

  /**
   * The row of a new tag. Where its step is given alone, the bounds make room for it.
   *
   * @param defaults what is not given
   */
  TagRow onNew(TagRow defaults, long nowMillis) {
    long first = or(step, Math.min(defaults.step(), share(defaults)));
    long min = or(stepMin, Math.min(defaults.stepMin(), Math.max(1, first)));
    long max = or(stepMax, Math.max(first, Math.min(defaults.stepMax(), share(defaults))));
    long begins = step == null ? Math.max(min, Math.min(first, max)) : first;
    TagChange whole =
        new TagChange(
            engine,
            or(text, form(defaults)),
            prefix,
            start,
            maximum,
            begins,
            min,
            max,
            critical,
            ratePerSecond,
            burst,
            owner,
            description);
    return whole.on(defaults, nowMillis);
  }

  /** A small tag should outlast some failovers, each of which leaves out several largest steps. */
  private long share(TagRow defaults) {
    long room = or(maximum, defaults.maximum()) - or(start, defaults.start());
    return Math.max(1, room / PARTS);
  }

  /** Numbers are written as the defaults say, texts are as they are. */
  private String form(TagRow defaults) {
    EngineKind kind = EngineKind.of(or(engine, defaults.engine()));
    return kind == null || kind.numbers() ? defaults.text() : TagTexts.NATIVE;
  }

  private static <T> T or(@Nullable T wanted, T otherwise) {
    return wanted == null ? otherwise : wanted;
  }
}
