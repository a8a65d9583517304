package dev.idgen.server.config;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which worker id a server would like to have. The lease decides: what somebody else holds is not
 * taken. A value; immutable.
 *
 * @param text {@code none}, {@code ordinal}, {@code address} or a number
 */
public record WorkerPreference(String text) {
  private static final Pattern ORDINAL = Pattern.compile(".*?([0-9]{1,9})");
  private static final int NONE = -1;

  static final ValueType<WorkerPreference> TYPE =
      new ValueType<>(
          "preference",
          "",
          "none, ordinal, address, or a number 0..4194303",
          WorkerPreference::parse);

  private static WorkerPreference parse(String text) {
    boolean word = List.of("none", "ordinal", "address").contains(text);
    if (!word && (!text.matches("[0-9]{1,7}") || Integer.parseInt(text) >= 1 << 22)) {
      throw new IllegalArgumentException(text);
    }
    return new WorkerPreference(text);
  }

  /**
   * The worker id that is wished for.
   *
   * @param range the ids that this server may have
   * @param hostName as {@code idgen-7.idgen.default.svc}; the part before the first dot counts
   * @param addresses of this host, in any order
   * @return -1: none
   */
  public int in(Workers range, String hostName, List<InetAddress> addresses) {
    int wish =
        switch (text) {
          case "none" -> NONE;
          case "ordinal" -> ordinal(hostName);
          case "address" -> ofAddresses(addresses, range.endExclusive() - range.first());
          default -> Integer.parseInt(text);
        };
    return wish < 0 || wish >= range.endExclusive() - range.first() ? NONE : range.first() + wish;
  }

  private static int ordinal(String hostName) {
    int dot = hostName.indexOf('.');
    Matcher matcher = ORDINAL.matcher(dot < 0 ? hostName : hostName.substring(0, dot));
    return matcher.matches() ? Integer.parseInt(matcher.group(1)) : NONE;
  }

  /** The same for the same addresses, and spread evenly over the ids. */
  private static int ofAddresses(List<InetAddress> addresses, int ids) {
    List<Integer> reachable =
        addresses.stream()
            .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
            .map(address -> Arrays.hashCode(address.getAddress()))
            .sorted()
            .toList();
    int hash = reachable.stream().reduce(17, (sum, next) -> 31 * sum + next);
    int mixed = hash * 0x9e3779b9; // neighbours are far apart
    return reachable.isEmpty() ? NONE : (int) (((mixed & 0xffffffffL) * ids) >>> 32);
  }
}
