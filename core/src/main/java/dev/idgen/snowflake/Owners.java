package dev.idgen.snowflake;

import dev.idgen.entropy.Entropy;
import java.util.HexFormat;

/** Names for processes as owners of leases: readable first, unique by their random end. */
public final class Owners {
  private static final int MAX_HOST = 100;

  private Owners() {}

  /**
   * A name that no other process ever has: {@code host/pid/16 hex digits}. Nothing is derived from
   * it.
   *
   * @param entropy read from the operating system
   */
  public static String fresh(Entropy entropy) {
    String host = System.getenv("HOSTNAME");
    String shown = host == null || host.isBlank() ? "localhost" : host.strip();
    if (shown.length() > MAX_HOST) {
      shown = shown.substring(0, MAX_HOST);
    }
    String random = HexFormat.of().toHexDigits(entropy.nextLong());
    return shown + "/" + ProcessHandle.current().pid() + "/" + random;
  }
}
