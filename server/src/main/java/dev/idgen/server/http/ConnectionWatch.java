package dev.idgen.server.http;

import dev.idgen.server.service.ServiceException;
import dev.idgen.server.service.ServiceReason;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.util.AttributeKey;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;
import org.jspecify.annotations.Nullable;

/**
 * How far one connection is with its request, and since when. Sees bytes before the decoder and, of
 * HTTP/1.1, messages behind it; what goes on in HTTP/2 is {@link Http2Watch}. Not thread-safe:
 * lives on the connection's event loop.
 */
@SuppressWarnings(
    "FutureReturnValueIgnored") // a close that fails finds the connection gone already
final class ConnectionWatch {
  /** Name of the handler that sees what the client sent, in clear. */
  static final String BYTES = "bytes";

  /** Names that Vert.x gives to handlers of its own. */
  static final String TLS = "ssl";

  private static final String UPGRADE = "h2c";
  private static final String LAST = "handler";

  private static final AttributeKey<ConnectionWatch> KEY =
      AttributeKey.valueOf(ConnectionWatch.class, "watch");

  private final Connections connections;
  private final Channel channel;
  private final Preface preface = new Preface();
  private Stage stage = Stage.NEW;
  private long sinceMs;
  private long stalledSinceMs;
  private @Nullable Http2Watch http2; // null: HTTP/1.1, or not known yet

  /** Requests whose reply was not written yet: 0 or more. */
  private int owed;

  /** Bytes of the head or the body of a request of HTTP/1.1, whichever is not whole yet. */
  private int heldBytes;

  private boolean understood; // Vert.x knows which HTTP it is
  private boolean ended;

  ConnectionWatch(Connections connections, Channel channel) {
    this.connections = connections;
    this.channel = channel;
    this.sinceMs = connections.nowMs();
  }

  /** That of a connection. */
  static ConnectionWatch of(HttpConnection connection) {
    return ((ConnectionBase) connection).channel().attr(KEY).get();
  }

  /** Watches from now on. */
  void begin() {
    channel.attr(KEY).set(this);
    ChannelPipeline pipeline = channel.pipeline();
    if (pipeline.get(TLS) == null) {
      pipeline.addFirst(BYTES, new Bytes());
    } else {
      pipeline.addAfter(TLS, BYTES, new Bytes());
    }
  }

  /** Vert.x has understood which HTTP it is, and is about to see the first message. */
  void understood() {
    understood = true;
    ChannelPipeline pipeline = channel.pipeline();
    Http2ConnectionHandler handler = pipeline.get(Http2ConnectionHandler.class);
    if (handler == null) {
      pipeline.addBefore(LAST, "messages", new Messages());
    } else if (http2 != null) {
      http2.begin(handler);
    }
  }

  /** Somebody else sees to it that this request ends in time. */
  void letGo(int streamId) {
    if (http2 != null) {
      http2.letGo(streamId);
    }
  }

  /** The connection was closed: nothing is held for it any more. */
  void gone() {
    hold(-heldBytes);
    if (http2 != null) {
      http2.gone();
    }
  }

  private void hold(int bytes) {
    if (bytes == 0) {
      return; // most requests have no body, and the count is shared by all event loops
    }
    heldBytes += bytes;
    connections.unread().add(bytes);
  }

  /** Of a head or body that is not whole; what is beyond its limit is thrown away, not held. */
  private void take(int bytes, int most) {
    hold(Math.min(bytes, most - heldBytes));
    if (connections.unread().isOver()) {
      refuse(connections.unread().refusal());
    }
  }

  /** Whether its time is up. */
  boolean isLate(HttpLimits limits) {
    if (stalled(limits) || isLeft()) {
      return true;
    }
    if (http2 != null) {
      return http2.isLate(limits);
    }
    long age = connections.nowMs() - sinceMs;
    return switch (stage) {
      case NEW -> age > limits.requestTimeoutMs();
      case HEAD -> age > limits.headerTimeoutMs();
      case BODY -> age > limits.requestTimeoutMs();
      case IDLE -> owed == 0 && age > limits.idleTimeoutMs();
    };
  }

  /** Nothing was asked yet, and will not be answered any more. */
  private boolean isLeft() {
    return connections.stopping() && !understood;
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
    if (ended || stalled(limits) || isLeft()) {
      channel.close();
      return;
    }
    if (http2 != null) {
      http2.end(limits);
      return;
    }
    if (stage == Stage.HEAD) {
      refuse(late("header fields", limits.headerTimeoutMs()));
    } else if (stage == Stage.BODY) {
      refuse(late("request", limits.requestTimeoutMs()));
    } else {
      ended = true;
      channel.close();
    }
  }

  private static ServiceException late(String what, long timeoutMs) {
    return new ServiceException(
        ServiceReason.TIMEOUT, what + ": not whole in " + timeoutMs + " ms (expected: sooner)");
  }

  /** Where an earlier reply is still to come, this one would be taken for it. */
  private void refuse(ServiceException refusal) {
    ended = true;
    if (channel.isWritable() && owed == (stage == Stage.BODY ? 1 : 0)) {
      Connections.answerAndClose(channel, refusal);
    } else {
      channel.close();
    }
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
      int bytes = ((ByteBuf) message).readableBytes();
      if (!preface.decided()) {
        decide(context, (ByteBuf) message);
      } else {
        if (http2 != null) {
          http2.received((ByteBuf) message);
        }
        context.fireChannelRead(message);
      }
      if (http2 != null) {
        hold(-heldBytes); // of the preface; what follows is held for its streams
      } else if (stage == Stage.HEAD && !ended) {
        take(bytes, connections.maxHeaderBytes()); // the decoder keeps them
      }
    }

    /**
     * What Vert.x needs to see to decide goes first alone, so that its handlers are there when the
     * rest comes, and can be told to leave HTTP/1.1 as it is.
     */
    private void decide(ChannelHandlerContext context, ByteBuf bytes) {
      int seen = preface.take(bytes);
      if (preface.isHttp2()) {
        http2 = new Http2Watch(connections, channel);
        http2.received(bytes.slice(bytes.readerIndex() + seen, bytes.readableBytes() - seen));
      } else if (preface.decided()) {
        context.fireChannelRead(bytes.readRetainedSlice(seen));
        keepHttp1();
      }
      if (bytes.isReadable()) {
        context.fireChannelRead(bytes);
      } else {
        bytes.release();
      }
    }

    /** RFC 9113 has taken the upgrade from HTTP/1.1 back: a server goes on as if not asked. */
    private void keepHttp1() {
      if (channel.pipeline().get(UPGRADE) != null) {
        channel.pipeline().addBefore(UPGRADE, "stay", new Stay());
      }
    }
  }

  /** Does not let Vert.x see that the client offers an upgrade in its first request. */
  private static final class Stay extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (message instanceof HttpRequest request) {
        request.headers().remove(HttpHeaderNames.UPGRADE);
        context.pipeline().remove(this);
      }
      context.fireChannelRead(message);
    }
  }

  /** Behind the decoder of HTTP/1.1. */
  private final class Messages extends ChannelDuplexHandler {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (message instanceof HttpRequest) {
        stage = Stage.BODY;
        owed++;
        hold(-heldBytes);
      }
      if (message instanceof LastHttpContent) {
        stage = Stage.IDLE;
        sinceMs = connections.nowMs();
        hold(-heldBytes);
      } else if (message instanceof HttpContent part && !ended) {
        take(part.content().readableBytes(), connections.maxBodyBytes());
      }
      if (ended) { // of the same bytes as what was refused
        ReferenceCountUtil.release(message);
      } else {
        context.fireChannelRead(message);
      }
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
