package dev.idgen.server.resp;

import dev.idgen.server.log.Log;
import dev.idgen.server.service.Issued;
import dev.idgen.server.service.ServiceException;
import dev.idgen.server.service.ServiceReason;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.SocketChannel;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One client: its bytes in, its replies out, in the order of its commands even where some of them
 * wait for their ids. It is read only as far as its replies can be kept: too many that wait, or too
 * many bytes that it does not fetch, and nothing more is read until there are fewer.
 *
 * <p>What was read is answered by one write; what completes later, by one for all that has by then.
 */
@SuppressWarnings(
    "FutureReturnValueIgnored") // a write or close that fails finds the connection gone already
final class Connection extends ChannelInboundHandlerAdapter implements Answers {
  private static final Log LOG = Log.of("resp");
  private static final int CHUNK = 16 << 10; // bytes of replies that are handed over at a time
  private static final int COUNTED_BYTES = 4 << 10; // smaller ones are held by the water mark
  private static final int SHORT_BYTES = 64; // that a short reply takes while it waits
  private static final int MAX_HELD = 16 << 10; // bytes of replies that wait for those before them
  private static final int TEXT_BYTES = 64; // that an id takes which waits as a text
  private static final long LINGER_MS = 1000;

  private final Loop loop;
  private final Channel channel;
  private final Session session;

  /** In the order of their commands: 0..maxPipeline. */
  private final ArrayDeque<Owed> owed = new ArrayDeque<>(1);

  /** Whether somebody has asked for {@link #drain} and it has not begun. */
  private final AtomicBoolean draining = new AtomicBoolean();

  private int
      held; // bytes of replies that wait for those before them: up to MAX_HELD and one reply
  private boolean blocked; // a list waits until clients have fetched others

  /** Bytes that were read and not executed: of a command that is not whole, or that must wait. */
  private @Nullable ByteBuf rest;

  private int unread; // bytes of the rest, as counted among those of all
  private boolean paused; // nothing is read until there is room
  private boolean inputEnded; // the client sends no more
  private boolean ending; // no further command is executed
  private boolean finishing; // the last byte is on its way
  private boolean closed; // nobody waits for anything any more
  private boolean executed; // something, of what was read last
  private final long openedMs;
  private long activeMs;
  private long begunMs; // when the command that is not whole began
  private long stalledMs; // since when the client fetches nothing; 0: it does

  Connection(Loop loop, Channel channel, Session session) {
    this.loop = loop;
    this.channel = channel;
    this.session = session;
    this.openedMs = loop.nowMs();
    this.activeMs = openedMs;
  }

  // ---- bytes in

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf read = (ByteBuf) message;
    if (ending) {
      read.release();
      return;
    }
    activeMs = loop.nowMs();
    ByteBuf known = rest;
    if (known == null) {
      try {
        execute(read);
      } finally {
        keep(read);
      }
    } else {
      try {
        known.writeBytes(read);
      } finally {
        read.release();
      }
      execute(known); // held as the rest, whatever happens
      keepOn(known);
    }
    countRest();
  }

  /**
   * Where all clients together have sent too much of commands that are not whole, this one ends.
   */
  private void countRest() {
    ByteBuf known = rest;
    countUnread(known == null ? 0 : known.readableBytes());
    if (known != null && !paused && loop.unread.isOver()) {
      last(Reply.refusal(loop.unread.refusal()));
      send();
      keepOn(known);
      countUnread(0);
    }
  }

  private void countUnread(int bytes) {
    loop.unread.add(bytes - unread);
    unread = bytes;
  }

  /** All commands that are whole, as far as their replies can be kept. */
  private void execute(ByteBuf in) {
    executed = false;
    try {
      executeAll(in);
      send();
    } finally {
      loop.writer.clear(); // what could not be sent must not go to the next connection
    }
    if (!ending && (paused || isFull())) {
      pause();
    }
  }

  private void executeAll(ByteBuf in) {
    Decoder decoder = loop.decoder;
    try {
      while (!ending && !isFull() && decoder.next(in, caps()) && !mustWait(in)) {
        executed = true;
        if (decoder.count() > 0) {
          loop.commands.run(decoder, session, loop.hasRoom(), this);
        }
        if (loop.writer.length() > CHUNK) {
          send();
        }
      }
    } catch (ProtocolFault e) {
      refuse(e);
    }
  }

  /** A list is not made while it would have to be kept. */
  private boolean mustWait(ByteBuf in) {
    if (owed.isEmpty() || !loop.decoder.asksForMany()) {
      return false;
    }
    loop.decoder.putBack(in);
    paused = true;
    return true;
  }

  private void pause() {
    paused = true;
    channel.config().setAutoRead(false);
    channel.flush();
  }

  private Caps caps() {
    return session.caller() == null ? loop.capsBeforeAuth : loop.caps;
  }

  private boolean isFull() {
    return owed.size() >= loop.limits.maxPipeline() || held > MAX_HELD || !channel.isWritable();
  }

  private void refuse(ProtocolFault fault) {
    if (fault.silent()) {
      ending = true;
      channel.close();
    } else {
      last(Reply.error("ERR", "Protocol error: " + fault.getMessage()));
    }
  }

  private void keep(ByteBuf read) {
    try {
      if (read.isReadable() && !ending) {
        rest = copyOf(read);
        begunMs = loop.nowMs();
      }
    } finally {
      read.release();
    }
  }

  private void keepOn(ByteBuf known) {
    if (!known.isReadable() || ending) {
      rest = null;
      known.release();
    } else if (executed) {
      rest = copyOf(known);
      known.release();
      begunMs = loop.nowMs();
    }
  }

  /** The rest is copied: it is small, and would hold a buffer that is not. */
  private ByteBuf copyOf(ByteBuf read) {
    return channel.alloc().buffer(read.readableBytes()).writeBytes(read);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    channel.flush();
    finishIfDone();
  }

  /** Goes on with what was read, and then with reading. */
  private void resume() {
    if (!paused || isFull() || ending) {
      return;
    }
    paused = false;
    ByteBuf known = rest;
    if (known != null) {
      execute(known);
      keepOn(known);
      countRest();
      channel.flush();
    }
    if (!paused) {
      channel.config().setAutoRead(true);
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof ChannelInputShutdownEvent) {
      inputEnded = true;
      if (finishing) {
        channel.close();
      } else {
        finishIfDone();
      }
    }
  }

  // ---- replies out

  @Override
  public void now(Reply reply) {
    now(reply, 0);
  }

  @Override
  public void now(Reply reply, int bytes) {
    if (owed.isEmpty()) {
      write(reply, session.resp3());
    } else {
      Owed next = Owed.known(session.resp3(), reply, SHORT_BYTES + bytes);
      held += next.bytes;
      owed.add(next);
    }
  }

  /** All of it, or an error in its place: what follows must be understood. */
  private void write(Reply reply, boolean resp3) {
    Writer writer = loop.writer;
    int before = writer.length();
    writer.speak(resp3);
    try {
      reply.write(writer);
    } catch (RuntimeException e) {
      LOG.error("reply failed", e);
      writer.cutTo(before);
      writer.error(ServiceException.of(e));
    }
  }

  @Override
  public void issued(CompletionStage<Issued> ids, Encoder encoder) {
    CompletableFuture<Issued> future = ids.toCompletableFuture();
    if (!future.isDone()) {
      later(future, encoder);
    } else if (future.isCompletedExceptionally()) {
      now(refusal(failureOf(future)));
    } else {
      now(reply(encoder, future.join()));
    }
  }

  private void later(CompletableFuture<Issued> future, Encoder encoder) {
    Owed later = Owed.later(session.resp3(), encoder == Encoder.LIST);
    owed.add(later);
    var unused =
        future.whenComplete(
            (issued, failure) -> {
              if (failure != null) {
                answer(later, refusal(failure));
              } else if (!issued.texts().isEmpty()) {
                int bytes = issued.texts().size() * TEXT_BYTES;
                channel.eventLoop().execute(() -> take(later, reply(encoder, issued), bytes));
              } else {
                answer(later, reply(encoder, issued));
              }
            });
  }

  private void answer(Owed later, Reply reply) {
    later.reply = reply;
    drainSoon();
  }

  /** Texts take room from now on, whether they can be sent or not. */
  private void take(Owed later, Reply reply, int bytes) {
    if (closed) {
      return;
    }
    later.counted = bytes;
    loop.countUnsent(bytes);
    answer(later, reply);
  }

  private static Throwable failureOf(CompletableFuture<?> failed) {
    try {
      throw new IllegalStateException("future: " + failed.join() + " (expected: a failure)");
    } catch (CompletionException e) {
      return e;
    }
  }

  private static Reply reply(Encoder encoder, Issued issued) {
    return out -> encoder.write(out, issued);
  }

  private static Reply refusal(Throwable failure) {
    ServiceException refusal = ServiceException.of(failure);
    if (refusal.reason() == ServiceReason.INTERNAL) {
      LOG.error("command failed", failure);
    }
    return Reply.refusal(refusal);
  }

  @Override
  public void last(Reply reply) {
    now(reply);
    ending = true;
  }

  /** On the event loop, once for all that completes before it runs. */
  private void drainSoon() {
    if (draining.compareAndSet(false, true)) {
      channel.eventLoop().execute(this::drain);
    }
  }

  private void drain() {
    draining.set(false); // before looking: what completes from here on asks again
    blocked = false;
    try {
      while (!owed.isEmpty() && channel.isWritable() && sendFirst()) {
        if (loop.writer.length() > CHUNK) {
          send();
        }
      }
      send();
    } finally {
      loop.writer.clear(); // as above
    }
    channel.flush();
    resume();
    finishIfDone();
  }

  /** The reply that comes next, if it is there. */
  private boolean sendFirst() {
    Owed first = owed.element();
    Reply reply = first.reply;
    boolean more = first.list && first.counted == 0; // than it takes already
    blocked = reply != null && more && !loop.hasRoom(); // until somebody looks again
    if (reply == null || blocked) {
      return false;
    }
    owed.remove();
    held -= first.bytes;
    write(reply, first.resp3);
    giveBack(first);
    return true;
  }

  /** What a reply took while it waited. */
  private void giveBack(Owed waiting) {
    if (waiting.counted > 0) {
      loop.countUnsent(-waiting.counted);
      waiting.counted = 0;
    }
  }

  /** Hands over what was written, without a system call yet. */
  private void send() {
    Writer writer = loop.writer;
    int length = writer.length();
    if (length == 0) {
      return;
    }
    ByteBuf out = channel.alloc().ioBuffer(length).writeBytes(writer.bytes(), 0, length);
    writer.clear();
    if (length < COUNTED_BYTES) {
      channel.write(out, channel.voidPromise());
      return;
    }
    loop.countUnsent(length);
    ChannelPromise gone = channel.newPromise();
    gone.addListener(done -> loop.countUnsent(-length));
    channel.write(out, gone);
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (channel.isWritable()) {
      drainSoon(); // not here: this runs within a write
    }
  }

  // ---- the end

  private void finishIfDone() {
    boolean last = ending || (inputEnded && !paused);
    if (finishing || !last || !owed.isEmpty()) {
      return;
    }
    ending = true;
    finishing = true;
    channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(sent -> linger());
  }

  /**
   * Closing at once could take the last reply along with what the client is still sending, so the
   * client is given a moment to close.
   */
  private void linger() {
    if (inputEnded || !(channel instanceof SocketChannel socket) || !channel.isActive()) {
      channel.close();
      return;
    }
    socket.shutdownOutput();
    channel.config().setAutoRead(true);
    channel.eventLoop().schedule(() -> channel.close(), LINGER_MS, TimeUnit.MILLISECONDS);
  }

  /** Tells why it is not served, and ends. */
  void turnAway(ServiceException refusal) {
    last(Reply.refusal(refusal));
    send();
    finishIfDone();
  }

  /** Executes no further command, and ends as soon as nothing is owed any more. */
  void end() {
    ending = true;
    finishIfDone();
  }

  /** Ends as it is. */
  void cut() {
    channel.close();
  }

  /** Ends it if its time is up. */
  void look() {
    long now = loop.nowMs();
    RespLimits limits = loop.limits;
    if (blocked) {
      drainSoon();
    }
    if (isStalled(now)) {
      channel.close();
    } else if (ending || paused) {
      return; // until its replies are there, and fetched
    } else if (rest != null && now - begunMs > limits.requestTimeoutMs()) {
      late("command: not whole in " + limits.requestTimeoutMs() + " ms (expected: sooner)");
    } else if (session.caller() == null && now - openedMs > limits.requestTimeoutMs()) {
      late("AUTH: not within " + limits.requestTimeoutMs() + " ms (expected: sooner)");
    } else if (owed.isEmpty() && now - activeMs > limits.idleTimeoutMs()) {
      end();
    }
  }

  /** A client that does not fetch its replies holds memory. */
  private boolean isStalled(long now) {
    if (channel.isWritable()) {
      stalledMs = 0;
      return false;
    }
    stalledMs = stalledMs == 0 ? now : stalledMs;
    return now - stalledMs > loop.limits.requestTimeoutMs();
  }

  private void late(String why) {
    last(Reply.error("ERR", "Protocol error: " + why));
    send();
    finishIfDone();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    ending = true;
    closed = true;
    owed.forEach(this::giveBack);
    owed.clear();
    ByteBuf known = rest;
    rest = null;
    if (known != null) {
      known.release();
    }
    countUnread(0);
    loop.remove(this);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (!(cause instanceof IOException)) {
      LOG.error("connection failed", cause);
    }
    channel.close();
  }
}
