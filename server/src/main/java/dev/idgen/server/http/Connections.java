package dev.idgen.server.http;

import dev.idgen.server.service.ServiceException;
import dev.idgen.server.service.ServiceReason;
import dev.idgen.time.TimeSource;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.WriteBufferWaterMark;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The connections of one event loop: counts them, and ends those that take too long. Looks at all
 * of them now and then, which costs less than timers of their own. Not thread-safe.
 */
final class Connections {
  /** How often all connections are looked at; timeouts are kept this exactly. */
  static final long SWEEP_MS = 250;

  /** Small, so that a client that fetches nothing holds little memory. */
  private static final WriteBufferWaterMark UNSENT = new WriteBufferWaterMark(8 << 10, 16 << 10);

  private final HttpLimits limits;
  private final TimeSource time;
  private final AtomicInteger open;
  private final Set<ConnectionWatch> watches = new HashSet<>();
  private long nowMs;

  /**
   * The connections of one event loop.
   *
   * @param open counts those of all event loops
   */
  Connections(HttpLimits limits, TimeSource time, AtomicInteger open) {
    this.limits = limits;
    this.time = time;
    this.open = open;
    this.nowMs = monotonicMs();
  }

  /** Takes in a new connection, or turns it away. */
  void add(Channel channel) {
    channel.closeFuture().addListener(closed -> open.decrementAndGet());
    if (open.incrementAndGet() > limits.maxConnections()) {
      turnAway(channel);
      return;
    }
    channel.config().setWriteBufferWaterMark(UNSENT);
    ConnectionWatch watch = new ConnectionWatch(this, channel);
    ChannelPipeline pipeline = channel.pipeline();
    pipeline.addBefore("httpDecoder", "bytes", watch.bytes());
    pipeline.addAfter("httpEncoder", "messages", watch.messages());
    watches.add(watch);
    channel.closeFuture().addListener(closed -> watches.remove(watch));
  }

  private void turnAway(Channel channel) {
    ServiceException refusal =
        new ServiceException(
            ServiceReason.OVERLOADED,
            "connections: more than "
                + limits.maxConnections()
                + " (expected: at most that many at a time)",
            1000);
    answerAndClose(channel, refusal);
  }

  static void answerAndClose(Channel channel, ServiceException refusal) {
    byte[] reply = new Problem(refusal, TraceId.of(null)).asBytes();
    ChannelPipeline pipeline = channel.pipeline();
    pipeline
        .firstContext() // past the encoder: the reply is whole
        .writeAndFlush(Unpooled.wrappedBuffer(reply))
        .addListener(ChannelFutureListener.CLOSE);
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

  /** Monotonic milliseconds as of the last sweep. */
  long nowMs() {
    return nowMs;
  }

  private long monotonicMs() {
    return time.monotonicNanos() / 1_000_000;
  }
}
