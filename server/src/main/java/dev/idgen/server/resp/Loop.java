package dev.idgen.server.resp;

import dev.idgen.server.service.ServiceException;
import dev.idgen.server.service.ServiceReason;
import dev.idgen.server.service.UnreadBytes;
import dev.idgen.time.TimeSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One event loop with its connections: what they share, and who of them takes too long. Looks at
 * all of them now and then, which costs less than timers of their own.
 */
final class Loop {
  /** How often all connections are looked at; timeouts are kept this exactly. */
  static final long SWEEP_MS = 250;

  final Decoder decoder = new Decoder();
  final Writer writer = new Writer();
  final Commands commands;
  final RespLimits limits;
  final UnreadBytes unread;
  final Caps caps;
  final Caps capsBeforeAuth;

  private final AtomicInteger open;
  private final AtomicLong unsent;
  private final TimeSource time;
  private final Set<Connection> connections = new HashSet<>();
  private boolean stopping;
  private long nowMs;

  /**
   * A loop without connections.
   *
   * @param unread counts what has come of commands that are not whole
   * @param open counts those of all loops
   * @param unsent counts the bytes of large replies of all loops that clients have not fetched
   */
  Loop(
      Commands commands,
      RespLimits limits,
      UnreadBytes unread,
      TimeSource time,
      AtomicInteger open,
      AtomicLong unsent) {
    this.commands = commands;
    this.limits = limits;
    this.unread = unread;
    this.caps = Caps.of(limits);
    this.capsBeforeAuth = Caps.beforeAuth(limits);
    this.time = time;
    this.open = open;
    this.unsent = unsent;
    this.nowMs = monotonicMs();
  }

  /** Takes in a new connection, or turns it away. */
  void add(Connection connection) {
    if (open.incrementAndGet() > limits.maxConnections()) {
      connection.turnAway(
          new ServiceException(
              ServiceReason.OVERLOADED,
              "connections: more than "
                  + limits.maxConnections()
                  + " (expected: at most that many at a time)",
              1000));
    }
    connections.add(connection);
    if (stopping) {
      connection.end();
    }
  }

  /** It has ended. */
  void remove(Connection connection) {
    if (connections.remove(connection)) {
      open.decrementAndGet();
    }
  }

  /** Counts a large reply that is on its way; less than 0: it is gone. */
  void countUnsent(int bytes) {
    unsent.addAndGet(bytes);
  }

  /** Whether there is room for more large replies. */
  boolean hasRoom() {
    return unsent.get() <= limits.maxUnsentBytes();
  }

  /** Ends the connections whose time is up. */
  void sweep() {
    nowMs = monotonicMs();
    for (Connection connection : List.copyOf(connections)) { // ending one changes the set
      connection.look();
    }
  }

  /** Has each end as soon as it owes nothing any more. */
  void stop() {
    stopping = true;
    List.copyOf(connections).forEach(Connection::end);
  }

  /** Ends all of them. */
  void cut() {
    List.copyOf(connections).forEach(Connection::cut);
  }

  /** Monotonic milliseconds as of the last sweep. */
  long nowMs() {
    return nowMs;
  }

  private long monotonicMs() {
    return time.monotonicNanos() / 1_000_000;
  }
}
