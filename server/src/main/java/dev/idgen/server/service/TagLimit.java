package dev.idgen.server.service;

import dev.idgen.store.TagRow;
import dev.idgen.time.TimeSource;
import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.TimeMeter;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** How many ids of a tag this process may issue in a second. Thread-safe; takes no lock. */
public final class TagLimit {
  private final String tag;
  private final long ratePerSecond;
  private final long burst;
  private final Bucket bucket;

  private TagLimit(String tag, long ratePerSecond, long burst, TimeSource time) {
    this.tag = tag;
    this.ratePerSecond = ratePerSecond;
    this.burst = burst;
    this.bucket =
        Bucket.builder()
            .addLimit(
                Bandwidth.builder()
                    .capacity(burst)
                    .refillGreedy(ratePerSecond, Duration.ofSeconds(1))
                    .build())
            .withCustomTimePrecision(new Monotonic(time))
            .build();
  }

  /**
   * The limit of a tag.
   *
   * @return null: it has none
   */
  static @Nullable TagLimit of(TagRow row, TimeSource time) {
    if (row.ratePerSecond() == 0) {
      return null;
    }
    long burst = row.burst() == 0 ? row.ratePerSecond() : row.burst();
    return new TagLimit(row.tag(), row.ratePerSecond(), burst, time);
  }

  /** Whether it is what the row says. */
  boolean is(TagRow row) {
    long wanted = row.burst() == 0 ? row.ratePerSecond() : row.burst();
    return ratePerSecond == row.ratePerSecond() && burst == wanted;
  }

  /**
   * Takes its share.
   *
   * @throws ServiceException {@link ServiceReason#RATE_LIMITED} with the time until there is
   *     enough; {@link ServiceReason#INVALID_COUNT}: there never will be
   */
  void take(int count) {
    if (count > burst) {
      throw new ServiceException(
          ServiceReason.INVALID_COUNT,
          "count: " + count + " (expected: 1.." + burst + ", what the tag allows at once)");
    }
    var probe = bucket.tryConsumeAndReturnRemaining(count);
    if (!probe.isConsumed()) {
      throw new ServiceException(
          ServiceReason.RATE_LIMITED,
          "tag: " + tag + ": over its limit (expected: " + ratePerSecond + " ids a second)",
          Math.max(1, TimeUnit.NANOSECONDS.toMillis(probe.getNanosToWaitForRefill())));
    }
  }

  /** Ids a second. */
  public long ratePerSecond() {
    return ratePerSecond;
  }

  /** Ids that may be taken at once when none were taken before. */
  public long burst() {
    return burst;
  }

  /** Ids that may be taken now. */
  public long remaining() {
    return Math.max(0, bucket.getAvailableTokens());
  }

  /** The clock of the process, which no administrator steps. */
  private static final class Monotonic implements TimeMeter {
    private final TimeSource time;

    Monotonic(TimeSource time) {
      this.time = time;
    }

    @Override
    public long currentTimeNanos() {
      return time.monotonicNanos();
    }

    @Override
    public boolean isWallClockBased() {
      return false;
    }
  }
}
