package dev.idgen.server.resp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.layout.Layouts;
import dev.idgen.server.service.Caller;
import dev.idgen.server.service.Callers;
import dev.idgen.server.service.EngineHealth;
import dev.idgen.server.service.EngineKind;
import dev.idgen.server.service.HeldText;
import dev.idgen.server.service.IdService;
import dev.idgen.server.service.ServiceLimits;
import dev.idgen.server.service.TagDirectory;
import dev.idgen.server.service.TagRows;
import dev.idgen.server.service.TagTexts;
import dev.idgen.text.Text;
import dev.idgen.time.TimeSource;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Opaque ids that were enciphered for a client who fetches nothing. */
class HeldTextsTest {
  private static final int COUNT = 1_000;

  private final TimeSource time = TimeSource.system();
  private final HeldText text = new HeldText(Text.BASE62);
  private final AtomicLong unsent = new AtomicLong();
  private final TagDirectory tags =
      new TagDirectory(
          RespFixture.withText(TagRows.of("default", "segment"), "opaque", ""),
          (row, kind) -> new TestEngine(EngineKind.SEGMENT),
          new TagTexts(tag -> text),
          time,
          "");
  private final EmbeddedChannel channel = new EmbeddedChannel();

  /** The list is asked for, and while it is made the client stops fetching. */
  @BeforeEach
  void ask() {
    IdService service =
        new IdService(tags, null, () -> EngineHealth.WELL, new ServiceLimits(10, 1 << 20), time);
    Commands commands =
        new Commands(service, Callers.OPEN, Layouts.IDGEN, RespFixture.LIMITS, time, () -> 1);
    Loop loop =
        new Loop(commands, RespFixture.LIMITS, service.unread(), time, new AtomicInteger(), unsent);
    channel.pipeline().addLast(new Connection(loop, channel, new Session(1, Caller.ANYBODY)));
    text.hold();
    channel.writeInbound(
        Unpooled.wrappedBuffer(RespClient.encoded("ID.NEXT", "default", "COUNT", "" + COUNT)));
    channel.unsafe().outboundBuffer().setUserDefinedWritability(1, false);
    assertEquals(0, unsent.get());
    text.letGo();
    await(bytes -> bytes > 0);
  }

  private void await(LongPredicate wanted) {
    long begun = System.nanoTime();
    while (!wanted.test(unsent.get())) {
      channel.runPendingTasks();
      assertTrue(System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(20), "unsent: " + unsent);
      Thread.onSpinWait();
    }
  }

  @Test
  void list_waitsToBeFetched_isCountedUntilItIs() {
    assertTrue(unsent.get() >= COUNT * 11, "unsent: " + unsent);
    channel.unsafe().outboundBuffer().setUserDefinedWritability(1, true);
    await(bytes -> bytes == 0);
    ByteBuf reply = channel.readOutbound();
    assertTrue(reply.toString(StandardCharsets.US_ASCII).startsWith("*" + COUNT + "\r\n$11\r\n"));
    reply.release();
    channel.finishAndReleaseAll();
  }

  @Test
  void list_connectionGone_isCountedNoMore() {
    var unused = channel.close();
    await(bytes -> bytes == 0);
    channel.finishAndReleaseAll();
  }
}
