package dev.idgen.server.grpc;

import dev.idgen.server.service.ServiceException;
import dev.idgen.server.service.ServiceReason;
import io.vertx.core.http.HttpHeaders;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How long a caller waits.
 *
 * @see <a href="https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md">gRPC over HTTP2,
 *     Timeout</a>
 */
final class Timeout {
  /** The caller waits as long as it takes. */
  static final long NONE = Long.MAX_VALUE;

  static final CharSequence HEADER = HttpHeaders.createOptimized("grpc-timeout");
  private static final int MAX_DIGITS = 8;

  private Timeout() {}

  /**
   * Reads it.
   *
   * @param header 1 to 8 digits and a unit; null: none was sent
   * @return nanoseconds, 0 or more; {@link #NONE}
   * @throws ServiceException with {@link ServiceReason#INVALID_BODY}
   */
  static long nanos(@Nullable String header) {
    if (header == null) {
      return NONE;
    }
    int digits = header.length() - 1;
    if (digits < 1 || digits > MAX_DIGITS) {
      throw invalid(header);
    }
    long value = 0;
    for (int i = 0; i < digits; i++) {
      char c = header.charAt(i);
      if (c < '0' || c > '9') {
        throw invalid(header);
      }
      value = value * 10 + (c - '0');
    }
    return unit(header).toNanos(value);
  }

  private static TimeUnit unit(String header) {
    return switch (header.charAt(header.length() - 1)) {
      case 'H' -> TimeUnit.HOURS;
      case 'M' -> TimeUnit.MINUTES;
      case 'S' -> TimeUnit.SECONDS;
      case 'm' -> TimeUnit.MILLISECONDS;
      case 'u' -> TimeUnit.MICROSECONDS;
      case 'n' -> TimeUnit.NANOSECONDS;
      default -> throw invalid(header);
    };
  }

  private static ServiceException invalid(String header) {
    return new ServiceException(
        ServiceReason.INVALID_BODY,
        HEADER
            + ": "
            + (header.length() > 24 ? header.substring(0, 24) + "..." : header)
            + " (expected: 1 to 8 digits and one of H M S m u n)");
  }
}
