package dev.idgen.snowflake;

import dev.idgen.layout.Layout;
import dev.idgen.time.Scheduler;
import dev.idgen.time.TimeSource;
import org.jspecify.annotations.NullMarked;

/** Engines as an application has them, but for the store: their lease ends with the layout. */
@NullMarked
public final class Engines {
  private Engines() {}

  /** An engine that holds worker id 0. */
  public static SnowflakeEngine open(Layout layout, ClockMode clock) {
    EngineOptions options = EngineOptions.defaults().withLayout(layout).withClock(clock);
    SnowflakeEngine engine =
        new SnowflakeEngine(
            options, TimeSource.system(), Scheduler.daemon("ids"), EngineEvents.NONE, true);
    engine.switchTo(new int[] {0}, 0, Long.MAX_VALUE);
    return engine;
  }
}
