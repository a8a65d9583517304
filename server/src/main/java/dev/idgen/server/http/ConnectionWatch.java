package dev.idgen.server.http;

import dev.idgen.server.service.ServiceException;
import dev.idgen.server.service.ServiceReason;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;

/**
 * How far one connection is with its request, and since when. Sees bytes before the decoder and
 * messages behind it. Not thread-safe: lives on the connection's event loop.
 */
@SuppressWarnings(
    "FutureReturnValueIgnored") // a close that fails finds the connection gone already
final class ConnectionWatch {
  private final Connections connections;
  private final Channel channel;
  private Stage stage = Stage.NEW;
  private long sinceMs;
  private long stalledSinceMs;

  /** Requests whose reply was not written yet: 0 or more. */
  private int owed;

  private boolean ended;

  ConnectionWatch(Connections connections, Channel channel) {
    this.connections = connections;
    this.channel = channel;
    this.sinceMs = connections.nowMs();
  }

  ChannelHandler bytes() {
    return new Bytes();
  }

  ChannelHandler messages() {
    return new Messages();
  }

  /** Whether its time is up. */
  boolean isLate(HttpLimits limits) {
    if (stalled(limits)) {
      return true;
    }
    long age = connections.nowMs() - sinceMs;
    return switch (stage) {
      case NEW -> age > limits.requestTimeoutMs();
      case HEAD -> age > limits.headerTimeoutMs();
      case BODY -> age > limits.requestTimeoutMs();
      case IDLE -> owed == 0 && age > limits.idleTimeoutMs();
    };
  }

  /** A client that does not fetch its replies holds memory. */
  private boolean stalled(HttpLimits limits) {
    if (channel.isWritable()) {
      stalledSinceMs = 0;
      return false;
    }
    if (stalledSinceMs == 0) {
      stalledSinceMs = connections.nowMs();
    }
    return connections.nowMs() - stalledSinceMs > limits.requestTimeoutMs();
  }

  /** Tells a client that is still sending, then closes. */
  void end(HttpLimits limits) {
    if (ended) {
      channel.close();
      return;
    }
    ended = true;
    boolean answerable = channel.isWritable() && owed == (stage == Stage.BODY ? 1 : 0);
    if (answerable && stage == Stage.HEAD) {
      refuse("header fields", limits.headerTimeoutMs());
    } else if (answerable && stage == Stage.BODY) {
      refuse("request", limits.requestTimeoutMs());
    } else {
      channel.close();
    }
  }

  private void refuse(String what, long timeoutMs) {
    Connections.answerAndClose(
        channel,
        new ServiceException(
            ServiceReason.TIMEOUT,
            what + ": not whole in " + timeoutMs + " ms (expected: sooner)"));
  }

  private enum Stage {
    /** Nothing was received yet. */
    NEW,
    /** The head of a request is arriving. */
    HEAD,
    /** Its body is arriving. */
    BODY,
    /** Between requests. */
    IDLE
  }

  /** Before the decoder. */
  private final class Bytes extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (ended) { // the reply is on its way out: what follows has no meaning any more
        ReferenceCountUtil.release(message);
        return;
      }
      if (stage == Stage.IDLE || stage == Stage.NEW) {
        stage = Stage.HEAD;
        sinceMs = connections.nowMs();
      }
      context.fireChannelRead(message);
    }
  }

  /** Behind the decoder. */
  private final class Messages extends ChannelDuplexHandler {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (message instanceof HttpRequest) {
        stage = Stage.BODY;
        owed++;
      }
      if (message instanceof LastHttpContent) {
        stage = Stage.IDLE;
        sinceMs = connections.nowMs();
      }
      context.fireChannelRead(message);
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
      if (message instanceof LastHttpContent && !isInterim(message)) {
        owed--;
        sinceMs = Math.max(sinceMs, stage == Stage.IDLE ? connections.nowMs() : sinceMs);
      }
      context.write(message, promise);
    }

    private boolean isInterim(Object message) {
      return message instanceof HttpResponse response && response.status().code() < 200;
    }
  }
}
