package dev.idgen.server.service;

import dev.idgen.server.digest.Sha256;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who calls, by the token that they bear. Only the SHA-256 of a token is kept, and only that is
 * looked up: how long that takes tells nothing of the tokens there are. Immutable and thread-safe.
 */
public final class Callers {
  /** Where no tokens are set, anybody may do all. */
  public static final Callers OPEN = new Callers(Map.of());

  private static final int TOKEN_MAX = 4096;

  private final Map<String, Caller> bySha256;

  /**
   * Callers by their tokens.
   *
   * @param bySha256 lower-case hexadecimal digits of the SHA-256 of each token; empty: anybody
   */
  public Callers(Map<String, Caller> bySha256) {
    this.bySha256 = new HashMap<>(bySha256);
  }

  /** Whether anybody may do all. */
  public boolean open() {
    return bySha256.isEmpty();
  }

  /**
   * Who bears a token.
   *
   * @param token null: none was sent
   * @throws ServiceException with {@link ServiceReason#UNAUTHENTICATED}
   */
  public Caller of(@Nullable String token) {
    if (bySha256.isEmpty()) {
      return Caller.ANYBODY;
    }
    if (token == null) {
      throw refused("token: absent");
    }
    Caller caller = token.length() > TOKEN_MAX ? null : bySha256.get(sha256(token));
    if (caller == null) {
      throw refused("token: unknown");
    }
    return caller;
  }

  /**
   * Who sends header fields {@code Authorization}.
   *
   * @param headers all that were sent: of two, one in front of the server may have looked at the
   *     other
   * @throws ServiceException with {@link ServiceReason#UNAUTHENTICATED}
   */
  public Caller ofHeaders(List<String> headers) {
    if (bySha256.isEmpty()) {
      return Caller.ANYBODY;
    }
    if (headers.isEmpty()) {
      throw refused("token: absent");
    }
    if (headers.size() > 1) {
      throw refused("authorization: given twice");
    }
    String header = headers.get(0);
    if (!header.regionMatches(true, 0, "Bearer ", 0, 7)) {
      throw refused("authorization: of another kind");
    }
    return of(header.substring(7).strip());
  }

  /**
   * The same for what nobody is refused.
   *
   * @return {@link Caller#NOBODY} without a token that is known
   */
  public Caller ofHeadersOrNobody(List<String> headers) {
    try {
      return ofHeaders(headers);
    } catch (ServiceException e) {
      return Caller.NOBODY;
    }
  }

  private static ServiceException refused(String what) {
    return new ServiceException(
        ServiceReason.UNAUTHENTICATED, what + " (expected: Bearer and a token of auth.tokens)");
  }

  /** What is kept of a token. */
  public static String sha256(String token) {
    return Sha256.hex(token);
  }
}
