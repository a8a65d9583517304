package dev.idgen.server.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.impl.transports.NioTransport;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.transport.Transport;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The network of a Vert.x, with somebody at the door: connections are met when they are accepted.
 * Vert.x itself tells of a connection only once it knows which HTTP it speaks, which may be never.
 * Made before its Vert.x; thread-safe.
 */
public final class Entrance implements Transport {
  private final Map<Integer, Doorkeeper> doorkeepers = new ConcurrentHashMap<>();
  private final Network network = new Network();

  /** Meets connections, each on its event loop. */
  @FunctionalInterface
  interface Doorkeeper {

    /**
     * Meets one.
     *
     * @param letIn has Vert.x put its handlers into the channel's pipeline
     */
    void meet(Channel channel, Runnable letIn);
  }

  /** Nobody is at any door yet. */
  public Entrance() {}

  /**
   * Puts somebody at the door of servers that are about to listen.
   *
   * @param port as it is given to their options: it tells them apart
   */
  void guard(int port, Doorkeeper doorkeeper) {
    doorkeepers.put(port, doorkeeper);
  }

  @Override
  public String name() {
    return "nio";
  }

  @Override
  public boolean available() {
    return true;
  }

  @Override
  public @Nullable Throwable unavailabilityCause() {
    return null;
  }

  @Override
  public io.vertx.core.spi.transport.Transport implementation() {
    return network;
  }

  private final class Network extends NioTransport {
    @Override
    public void configure(
        NetServerOptions options, boolean domainSocket, ServerBootstrap bootstrap) {
      super.configure(options, domainSocket, bootstrap);
      Doorkeeper doorkeeper =
          options instanceof HttpServerOptions ? doorkeepers.get(options.getPort()) : null;
      if (doorkeeper != null) {
        bootstrap.childHandler(new Door(doorkeeper, bootstrap.config().childHandler()));
      }
    }
  }

  @ChannelHandler.Sharable
  private static final class Door extends ChannelInitializer<Channel> {
    private final Doorkeeper doorkeeper;
    private final ChannelHandler inside;

    Door(Doorkeeper doorkeeper, ChannelHandler inside) {
      this.doorkeeper = doorkeeper;
      this.inside = inside;
    }

    @Override
    protected void initChannel(Channel channel) {
      doorkeeper.meet(channel, () -> channel.pipeline().addLast(inside));
    }
  }
}
