package dev.idgen.server.http;

import dev.idgen.server.service.ServiceException;
import dev.idgen.server.service.ServiceReason;
import dev.idgen.server.service.TagAdmin;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import org.jspecify.annotations.Nullable;

/**
 * What a caller knows of a tag that it changes: {@code If-Match: "3"} is its version, {@code
 * If-Match: *} that there is one, {@code If-None-Match: *} that there is none.
 */
final class Precondition {
  private Precondition() {}

  /**
   * The version that the tag must be at, as {@link TagAdmin} takes it.
   *
   * @return null: whatever it is
   * @throws ServiceException with {@link ServiceReason#INVALID_BODY}
   */
  static @Nullable Long of(HttpServerRequest request) {
    String match = request.headers().get(HttpHeaders.IF_MATCH);
    String none = request.headers().get(HttpHeaders.IF_NONE_MATCH);
    if (match != null && none != null) {
      throw invalid("if-match: given beside if-none-match (expected: one of them)");
    }
    if (none != null) {
      if (!none.strip().equals("*")) {
        throw invalid("if-none-match: " + JsonBody.shortened(none) + " (expected: *)");
      }
      return TagAdmin.ABSENT;
    }
    return match == null ? null : version(match.strip());
  }

  private static Long version(String match) {
    if (match.equals("*")) {
      return TagAdmin.PRESENT;
    }
    String digits = match.replaceFirst("^\"(.*)\"$", "$1");
    if (!digits.matches("[1-9][0-9]{0,17}")) {
      throw invalid(
          "if-match: " + JsonBody.shortened(match) + " (expected: a version like \"3\", or *)");
    }
    return Long.valueOf(digits);
  }

  private static ServiceException invalid(String detail) {
    return new ServiceException(ServiceReason.INVALID_BODY, detail);
  }
}
