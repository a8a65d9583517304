package dev.idgen.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameListener;
import io.netty.handler.codec.http2.Http2FrameListenerDecorator;
import io.netty.handler.codec.http2.Http2Stream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How far the requests of one HTTP/2 connection are, and since when. The limits of HTTP/1.1, for
 * each stream: its request is whole in time, its reply is fetched in time; what has arrived of
 * requests that are not whole is bounded; a connection without requests ends when it has been idle
 * for long. Not thread-safe: lives on the connection's event loop.
 */
@SuppressWarnings(
    "FutureReturnValueIgnored") // a close that fails finds the connection gone already
final class Http2Watch {
  /** Of requests that are not whole, one connection may have this many of the largest size. */
  private static final int LARGEST_AT_ONCE = 4;

  private final Connections connections;
  private final Channel channel;
  private final FrameBorders frames = new FrameBorders();
  private long frameSinceMs;
  private long heardMs;
  private long idleSinceMs;
  private boolean pinged;
  private @Nullable Known known; // null: the client's settings are not here yet

  Http2Watch(Connections connections, Channel channel) {
    this.connections = connections;
    this.channel = channel;
    this.frameSinceMs = connections.nowMs();
    this.heardMs = frameSinceMs;
    this.idleSinceMs = frameSinceMs;
  }

  /** The client's settings were read: requests may follow. */
  void begin(Http2ConnectionHandler handler) {
    Known begun = new Known(handler);
    handler.connection().addListener(begun);
    handler.decoder().frameListener(begun.counting(handler.decoder().frameListener()));
    known = begun;
  }

  /** Looks at what the client sent; does not read it. */
  void received(ByteBuf bytes) {
    int before = frames.begun();
    frames.take(bytes);
    if (frames.begun() != before) {
      frameSinceMs = connections.nowMs();
    }
    heardMs = connections.nowMs();
    pinged = false;
  }

  /** The connection was closed: nothing is held for it any more. */
  void gone() {
    if (known != null) {
      known.gone();
    }
  }

  /** Leaves the time that a request takes to its client. */
  void letGo(int streamId) {
    if (known != null) {
      known.letGo(streamId);
    }
  }

  /** Whether something is to be ended, or to be asked for a sign of life. */
  boolean isLate(HttpLimits limits) {
    return isConnectionLate(limits)
        || isSilent(limits)
        || (known != null && !known.lateStreams(limits.requestTimeoutMs()).isEmpty());
  }

  private boolean isConnectionLate(HttpLimits limits) {
    long nowMs = connections.nowMs();
    if (known == null) {
      return nowMs - idleSinceMs > limits.headerTimeoutMs();
    }
    if (!frames.whole()) {
      long limit = frames.inHeaders() ? limits.headerTimeoutMs() : limits.requestTimeoutMs();
      if (nowMs - frameSinceMs > limit) {
        return true;
      }
    }
    if (known.busy()) {
      idleSinceMs = nowMs;
    }
    return nowMs - idleSinceMs > limits.idleTimeoutMs()
        || (pinged && nowMs - heardMs > limits.idleTimeoutMs() + limits.requestTimeoutMs());
  }

  /** A client with requests that go on, of whom nothing was heard for long: it may be gone. */
  private boolean isSilent(HttpLimits limits) {
    return known != null && !pinged && connections.nowMs() - heardMs > limits.idleTimeoutMs();
  }

  /** Ends what is late. */
  void end(HttpLimits limits) {
    Known begun = known;
    if (begun == null || isConnectionLate(limits)) {
      channel.close(); // says goodbye first
      return;
    }
    if (isSilent(limits)) {
      pinged = true;
      begun.ping();
    }
    begun.lateStreams(limits.requestTimeoutMs()).forEach(stream -> begun.reset(stream));
    channel.flush();
  }

  /** How far one request is. */
  private static final class Progress {
    private final long sinceMs;
    private long replyingSinceMs = -1;
    private int heldBytes; // of it, as long as it is not whole
    private boolean letGo;

    Progress(long sinceMs) {
      this.sinceMs = sinceMs;
    }
  }

  /** The streams of the connection. */
  private final class Known extends Http2ConnectionAdapter {
    private final Http2ConnectionHandler handler;
    private final Http2Connection.PropertyKey key;
    private int heldBytes;
    private boolean gone;

    Known(Http2ConnectionHandler handler) {
      this.handler = handler;
      this.key = handler.connection().newKey();
    }

    boolean busy() {
      return handler.connection().numActiveStreams() > 0;
    }

    private @Nullable Progress progress(@Nullable Http2Stream stream) {
      return stream == null ? null : stream.getProperty(key);
    }

    void letGo(int streamId) {
      Progress progress = progress(handler.connection().stream(streamId));
      if (progress != null) {
        progress.letGo = true;
      }
    }

    @Override
    public void onStreamActive(Http2Stream stream) {
      stream.setProperty(key, new Progress(connections.nowMs()));
    }

    @Override
    public void onStreamHalfClosed(Http2Stream stream) {
      if (!stream.state().remoteSideOpen()) {
        release(stream);
      }
    }

    @Override
    public void onStreamClosed(Http2Stream stream) {
      idleSinceMs = connections.nowMs();
      release(stream);
    }

    private void release(Http2Stream stream) {
      Progress progress = progress(stream);
      if (progress != null) {
        count(-progress.heldBytes);
        progress.heldBytes = 0;
      }
    }

    private void count(int bytes) {
      if (!gone) {
        heldBytes += bytes;
        connections.unread().add(bytes);
      }
    }

    void gone() {
      count(-heldBytes);
      gone = true;
    }

    /** What arrives of requests is counted before Vert.x gets it. */
    Http2FrameListener counting(Http2FrameListener vertx) {
      return new Http2FrameListenerDecorator(vertx) {
        @Override
        public int onDataRead(
            ChannelHandlerContext context,
            int streamId,
            ByteBuf data,
            int padding,
            boolean endOfStream)
            throws Http2Exception {
          int bytes = data.readableBytes();
          if (!endOfStream && !hold(streamId, bytes)) {
            throw Http2Exception.streamError(
                streamId, Http2Error.ENHANCE_YOUR_CALM, "too much of requests that are not whole");
          }
          return super.onDataRead(context, streamId, data, padding, endOfStream);
        }
      };
    }

    private boolean hold(int streamId, int bytes) {
      Progress progress = progress(handler.connection().stream(streamId));
      if (progress == null) {
        return true;
      }
      int most = connections.maxBodyBytes();
      int more = progress.letGo ? Math.min(bytes, most - progress.heldBytes) : bytes;
      progress.heldBytes += more;
      count(more);
      return heldBytes <= LARGEST_AT_ONCE * most && !connections.unread().isOver();
    }

    List<Http2Stream> lateStreams(long limitMs) {
      List<Http2Stream> late = new ArrayList<>(0);
      if (!busy()) {
        return late;
      }
      try {
        handler
            .connection()
            .forEachActiveStream(
                stream -> {
                  if (isLate(stream, limitMs)) {
                    late.add(stream);
                  }
                  return true;
                });
      } catch (Http2Exception e) {
        throw new IllegalStateException(e); // the visitor throws none
      }
      return late;
    }

    private boolean isLate(Http2Stream stream, long limitMs) {
      Progress progress = progress(stream);
      if (progress == null || progress.letGo) {
        return false;
      }
      long nowMs = connections.nowMs();
      if (stream.isHeadersSent() && progress.replyingSinceMs < 0) {
        progress.replyingSinceMs = nowMs;
      }
      boolean asking = stream.state().remoteSideOpen();
      boolean replying = progress.replyingSinceMs >= 0;
      return (asking && nowMs - progress.sinceMs > limitMs)
          || (replying && nowMs - progress.replyingSinceMs > limitMs);
    }

    void reset(Http2Stream stream) {
      ChannelHandlerContext context = channel.pipeline().context(handler);
      handler.resetStream(context, stream.id(), Http2Error.CANCEL.code(), context.newPromise());
    }

    void ping() {
      ChannelHandlerContext context = channel.pipeline().context(handler);
      handler.encoder().writePing(context, false, 0, context.newPromise());
    }
  }
}
