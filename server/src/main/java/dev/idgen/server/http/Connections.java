package dev.idgen.server.http;

import dev.idgen.server.service.ServiceException;
import dev.idgen.server.service.ServiceReason;
import dev.idgen.server.service.TraceId;
import dev.idgen.server.service.UnreadBytes;
import dev.idgen.time.TimeSource;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.SocketChannel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The connections of one event loop: counts them, and ends those that take too long. Looks at all
 * of them now and then, which costs less than timers of their own. Not thread-safe.
 */
@SuppressWarnings(
    "FutureReturnValueIgnored") // a close that fails finds the connection gone already
final class Connections implements Entrance.Doorkeeper {
  /** How often all connections are looked at; timeouts are kept this exactly. */
  static final long SWEEP_MS = 250;

  private static final long LINGER_MS = 1000;

  /** Small, so that a client that fetches nothing holds little memory. */
  private static final WriteBufferWaterMark UNSENT = new WriteBufferWaterMark(8 << 10, 16 << 10);

  private final HttpLimits limits;
  private final UnreadBytes unread;
  private final TimeSource time;
  private final AtomicInteger open;
  private final Set<ConnectionWatch> watches = new HashSet<>();
  private long nowMs;
  private volatile boolean stopping;

  /**
   * The connections of one event loop.
   *
   * @param unread counts what has come of requests that are not whole
   * @param open counts those of all event loops
   */
  Connections(HttpLimits limits, UnreadBytes unread, TimeSource time, AtomicInteger open) {
    this.limits = limits;
    this.unread = unread;
    this.time = time;
    this.open = open;
    this.nowMs = monotonicMs();
  }

  /** Takes in a new connection, or turns it away. */
  @Override
  public void meet(Channel channel, Runnable letIn) {
    channel.closeFuture().addListener(closed -> open.decrementAndGet());
    if (open.incrementAndGet() > limits.maxConnections()) {
      turnAway(channel);
      return;
    }
    channel.config().setWriteBufferWaterMark(UNSENT);
    letIn.run();
    ConnectionWatch watch = new ConnectionWatch(this, channel);
    watch.begin();
    watches.add(watch);
    channel
        .closeFuture()
        .addListener(
            closed -> {
              watches.remove(watch);
              watch.gone();
            });
  }

  /** In clear text, whatever was agreed on: nothing more is spent on it. */
  private void turnAway(Channel channel) {
    ServiceException refusal =
        new ServiceException(
            ServiceReason.OVERLOADED,
            "connections: more than "
                + limits.maxConnections()
                + " (expected: at most that many at a time)",
            1000);
    byte[] reply = problem(refusal);
    channel.writeAndFlush(Unpooled.wrappedBuffer(reply)).addListener(sent -> linger(channel));
  }

  /**
   * Sends a whole reply past the encoder, and ends the connection. Closing at once could take the
   * reply along with what the client is still sending, so the client is given a moment to close.
   */
  static void answerAndClose(Channel channel, ServiceException refusal) {
    byte[] reply = problem(refusal);
    channel
        .pipeline()
        .context(ConnectionWatch.BYTES) // TLS, if there is any, is in front of it
        .writeAndFlush(Unpooled.wrappedBuffer(reply))
        .addListener(sent -> linger(channel));
  }

  private static byte[] problem(ServiceException refusal) {
    return new Problem(refusal, TraceId.of(null), Statuses.of(refusal.reason())).asBytes();
  }

  private static void linger(Channel channel) {
    boolean plain = channel.pipeline().get(ConnectionWatch.TLS) == null;
    if (plain && channel instanceof SocketChannel socket && channel.isActive()) {
      socket.shutdownOutput();
    }
    channel.eventLoop().schedule(() -> channel.close(), LINGER_MS, TimeUnit.MILLISECONDS);
  }

  /** Ends the connections whose time is up. */
  void sweep() {
    nowMs = monotonicMs();
    List<ConnectionWatch> late = new ArrayList<>();
    for (ConnectionWatch watch : watches) {
      if (watch.isLate(limits)) {
        late.add(watch);
      }
    }
    late.forEach(watch -> watch.end(limits)); // apart: closing changes the set
  }

  /**
   * Ends those soon that have not asked anything yet: Vert.x would wait for them. May be called
   * from any thread.
   */
  void stop() {
    stopping = true;
  }

  boolean stopping() {
    return stopping;
  }

  /** Monotonic milliseconds as of the last sweep. */
  long nowMs() {
    return nowMs;
  }

  /** What has come of requests that are not whole. */
  UnreadBytes unread() {
    return unread;
  }

  /** Largest sum of header fields. */
  int maxHeaderBytes() {
    return limits.maxHeaderBytes();
  }

  /** Largest request body. */
  int maxBodyBytes() {
    return limits.maxBodyBytes();
  }

  private long monotonicMs() {
    return time.monotonicNanos() / 1_000_000;
  }
}
