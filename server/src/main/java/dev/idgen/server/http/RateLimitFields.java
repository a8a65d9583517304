package dev.idgen.server.http;

import dev.idgen.server.service.TagLimit;
import io.vertx.core.MultiMap;
import org.jspecify.annotations.Nullable;

/**
 * Tells a client how much of a tag's rate is left.
 *
 * @see <a href="https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/">RateLimit
 *     header fields for HTTP</a>
 */
final class RateLimitFields {
  private RateLimitFields() {}

  /**
   * Adds the fields.
   *
   * @param limit null: the tag has none, and nothing is added
   */
  static void add(MultiMap headers, @Nullable TagLimit limit) {
    if (limit == null) {
      return;
    }
    long remaining = limit.remaining();
    long whole = (limit.burst() - remaining + limit.ratePerSecond() - 1) / limit.ratePerSecond();
    headers.set("RateLimit-Policy", "\"ids\";q=" + limit.burst() + ";w=" + seconds(limit));
    headers.set("RateLimit", "\"ids\";r=" + remaining + ";t=" + whole);
  }

  /** In how many seconds a burst that was used up has come back. */
  private static long seconds(TagLimit limit) {
    return Math.max(1, (limit.burst() + limit.ratePerSecond() - 1) / limit.ratePerSecond());
  }
}
