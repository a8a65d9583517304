package dev.idgen.server.resp;

import dev.idgen.layout.Layout;
import dev.idgen.server.service.Caller;
import dev.idgen.server.service.Callers;
import dev.idgen.server.service.IdService;
import dev.idgen.time.TimeSource;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.WriteBufferWaterMark;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Serves the commands of the Redis protocol, on the event loops that serve HTTP too. Started once,
 * stopped once.
 *
 * <p>Limits on time and memory hold before a command is understood; see {@link RespLimits}.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a close that fails finds the channel gone already
public final class RespTransport {
  private static final int BACKLOG = 1024;
  private static final long STOP_POLL_MS = 10;

  /** Small, so that a client that fetches nothing holds little memory. */
  private static final WriteBufferWaterMark UNSENT = new WriteBufferWaterMark(16 << 10, 32 << 10);

  private final VertxInternal vertx;
  private final IdService service;
  private final Callers callers;
  private final Layout layout;
  private final RespLimits limits;
  private final TimeSource time;
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicLong unsent = new AtomicLong();
  private final AtomicLong lastId = new AtomicLong();
  private final Map<EventLoop, Loop> loops = new ConcurrentHashMap<>();
  private volatile @Nullable Channel server;
  private volatile boolean stopping;

  /**
   * A transport that does not listen yet.
   *
   * @param callers who may do what
   * @param layout of this cluster's snowflake ids
   */
  public RespTransport(
      Vertx vertx,
      IdService service,
      Callers callers,
      Layout layout,
      RespLimits limits,
      TimeSource time) {
    this.vertx = (VertxInternal) vertx;
    this.service = service;
    this.callers = callers;
    this.layout = layout;
    this.limits = limits;
    this.time = time;
  }

  /**
   * Listens.
   *
   * @param port 0: any free one
   * @return the port
   */
  public Future<Integer> start(String host, int port) {
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(vertx.acceptorEventLoopGroup(), vertx.nettyEventLoopGroup())
            .channelFactory(vertx.transport().serverChannelFactory(false))
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
            .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
            .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, UNSENT)
            .childHandler(new Accepted());
    Promise<Integer> bound = Promise.promise();
    ChannelFuture binding = bootstrap.bind(new InetSocketAddress(host, port));
    binding.addListener(
        done -> {
          if (binding.isSuccess()) {
            server = binding.channel();
            bound.complete(((InetSocketAddress) binding.channel().localAddress()).getPort());
          } else {
            bound.fail(binding.cause());
          }
        });
    return bound.future();
  }

  /** Takes in each connection on its event loop. */
  private final class Accepted extends ChannelInitializer<Channel> {
    @Override
    protected void initChannel(Channel channel) {
      if (stopping) {
        channel.close();
        return;
      }
      Loop loop = loops.computeIfAbsent(channel.eventLoop(), RespTransport.this::loop);
      Session session =
          new Session(lastId.incrementAndGet(), callers.open() ? Caller.ANYBODY : null);
      Connection connection = new Connection(loop, channel, session);
      channel.pipeline().addLast(connection);
      loop.add(connection);
    }
  }

  private Loop loop(EventLoop of) {
    Commands commands = new Commands(service, callers, layout, limits, time, connections::get);
    Loop loop = new Loop(commands, limits, service.unread(), time, connections, unsent);
    of.scheduleAtFixedRate(loop::sweep, Loop.SWEEP_MS, Loop.SWEEP_MS, TimeUnit.MILLISECONDS);
    return loop;
  }

  /**
   * Accepts nobody any more, lets replies under way go out, closes.
   *
   * @param timeoutMs connections still busy then are cut
   */
  public Future<Void> stop(long timeoutMs) {
    Channel listening = server;
    if (listening == null) {
      return Future.succeededFuture();
    }
    stopping = true;
    Promise<Void> stopped = Promise.promise();
    long endNanos = time.monotonicNanos() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    listening
        .close()
        .addListener(
            closed -> {
              loops.forEach((eventLoop, loop) -> eventLoop.execute(loop::stop));
              awaitEnd(listening.eventLoop(), endNanos, stopped);
            });
    return stopped.future();
  }

  private void awaitEnd(EventLoop timer, long endNanos, Promise<Void> stopped) {
    if (connections.get() == 0) {
      stopped.complete();
    } else if (time.monotonicNanos() - endNanos >= 0) {
      loops.forEach((eventLoop, loop) -> eventLoop.execute(loop::cut));
      stopped.complete();
    } else {
      timer.schedule(() -> awaitEnd(timer, endNanos, stopped), STOP_POLL_MS, TimeUnit.MILLISECONDS);
    }
  }
}
