package dev.idgen.uuid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.idgen.ClockException;
import dev.idgen.ExhaustedException;
import dev.idgen.Reason;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;

class TimelineTest {
  private final WallClock time = new WallClock(1000);
  private final Deque<Long> places = new ArrayDeque<>();
  private final Deque<Runnable> meanwhile = new ArrayDeque<>();

  /** Shows millisecond and place; a tick has as many places as the test says, or many. */
  private final Timeline<String> timeline =
      new Timeline<>(time) {
        @Override
        Tick begin(long millis, long nowMillis) {
          if (!meanwhile.isEmpty()) {
            meanwhile.remove().run();
          }
          return new Tick(millis, 0, 0, places.isEmpty() ? 100 : places.remove());
        }

        @Override
        String make(Tick tick, long place, long nowMillis) {
          return tick.millis + "/" + place + " at " + nowMillis;
        }
      };

  @Test
  void take_clockMovesOn_beginsATick() {
    assertEquals("1000/0 at 1000", timeline.take());
    assertEquals("1000/1 at 1000", timeline.take());
    time.millis = 1005;
    assertEquals("1005/0 at 1005", timeline.take());
    assertEquals(0, timeline.aheadMillis());
  }

  @Test
  void take_clockGoesBack_goesOnInTheLastTick() {
    assertEquals("1000/0 at 1000", timeline.take());
    time.millis = 400;
    assertEquals("1000/1 at 400", timeline.take());
    assertEquals(600, timeline.aheadMillis());
    time.millis = 1000;
    assertEquals("1000/2 at 1000", timeline.take());
    time.millis = 1001;
    assertEquals("1001/0 at 1001", timeline.take());
  }

  @Test
  void take_tickUsedUp_goesOnInTheNextMillisecond() {
    places.add(2L);
    assertEquals("1000/0 at 1000", timeline.take());
    assertEquals("1000/1 at 1000", timeline.take());
    assertEquals("1001/0 at 1000", timeline.take());
    time.millis = 1001;
    assertEquals("1001/1 at 1001", timeline.take());
  }

  @Test
  void take_anotherThreadBeganTheTick_takesAPlaceInThat() {
    meanwhile.add(() -> assertEquals("1000/0 at 1000", timeline.take()));
    assertEquals("1000/1 at 1000", timeline.take());
  }

  /** The winner's reading of the clock is older: still an id that nobody else has. */
  @Test
  void take_anotherThreadBeganAnOlderTick_takesAPlaceInThat() {
    meanwhile.add(
        () -> {
          time.millis = 990;
          assertEquals("990/0 at 990", timeline.take());
        });
    assertEquals("990/1 at 1000", timeline.take());
  }

  @Test
  void take_everyTickIsUsedUpByOthers_givesUp() {
    for (int i = 0; i < 9; i++) {
      places.add(0L);
    }
    var e = assertThrows(ExhaustedException.class, timeline::take);
    assertEquals("ids: none left in 8 ticks (expected: some)", e.getMessage());
    assertEquals("1009/0 at 1000", timeline.take());
  }

  @Test
  void take_clockPast48Bits_isRefusedAndLeavesNoTrace() {
    time.millis = 1L << 48;
    var e = assertThrows(ExhaustedException.class, timeline::take);
    assertEquals("wallMillis: 281474976710656 (expected: 0..281474976710655)", e.getMessage());
    time.millis = Long.MAX_VALUE;
    assertThrows(ExhaustedException.class, timeline::take);
    time.millis = 1000;
    assertEquals("1000/0 at 1000", timeline.take());
  }

  @Test
  void take_clockBefore1970_isRefusedAndLeavesNoTrace() {
    time.millis = -5;
    var e = assertThrows(ClockException.class, timeline::take);
    assertEquals("wallMillis: -5 (expected: 0..281474976710655)", e.getMessage());
    assertEquals(Reason.CLOCK_BACKWARD, e.reason());
    assertEquals(5, e.retryAfterMs());
    time.millis = Long.MIN_VALUE;
    assertEquals(0, assertThrows(ClockException.class, timeline::take).retryAfterMs());
    time.millis = 0;
    assertEquals("0/0 at 0", timeline.take());
  }

  @Test
  void take_lastMillisecondUsedUp_isRefusedForGood() {
    time.millis = Timeline.MILLIS_MAX;
    places.add(1L);
    assertEquals("281474976710655/0 at 281474976710655", timeline.take());
    for (int i = 0; i < 3; i++) {
      var e = assertThrows(ExhaustedException.class, timeline::take);
      assertEquals("wallMillis: 281474976710656 (expected: 0..281474976710655)", e.getMessage());
    }
  }
}
