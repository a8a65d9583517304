package dev.idgen.server.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.layout.Layout;
import dev.idgen.layout.Layouts;
import dev.idgen.server.log.AuditLog;
import dev.idgen.server.log.LogLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LifecycleTest {
  private static final long NOW = 1_796_000_000_000L;
  private static final long PATIENCE_MS = 60_000;

  @TempDir private Path folder;
  private final StillTime time = new StillTime(NOW);
  private final LogLines log = new LogLines();
  private AuditLog audit;
  private Lifecycle lifecycle;

  @BeforeEach
  void open() {
    audit = new AuditLog(folder.resolve("audit.log"), time, "p1");
    lifecycle = new Lifecycle(audit, time);
  }

  @AfterEach
  void close() {
    log.close();
    audit.close(PATIENCE_MS);
  }

  @Test
  void claimFailed_again_isToldOnceInAWhile() {
    for (int i = 0; i < 100; i++) {
      lifecycle.claimFailed("held");
      time.advance(200);
    }
    assertEquals(2, log.count("claim failed"));
  }

  @Test
  void claimFailed_anotherCause_isToldAtOnce() {
    lifecycle.claimFailed("held");
    lifecycle.claimFailed("no answer");
    lifecycle.claimFailed("held");

    assertEquals(2, log.count("claim failed"));
    assertTrue(log.all().get(1).contains("no answer"), log.all() + "");
  }

  @Test
  void clockApart_byAnotherFigureEachTime_isBounded() {
    for (int i = 0; i < 1000; i++) {
      lifecycle.clockApart(i);
    }
    assertEquals(5, log.count("clock apart"));
  }

  /** C9. */
  @Test
  void layoutLife_yearsBeforeTheEnd_warnsEachDay() throws IOException {
    Layout layout = Layouts.IDGEN;
    long end = layout.end().toEpochMilli();
    LayoutLife life = new LayoutLife(layout, time, time.scheduler(), lifecycle);

    life.watch();
    time.advance(end - NOW - LayoutLife.WARN_BEFORE.toMillis() - 86_400_000);
    assertEquals(0, log.count("layout ends"));

    time.advance(2 * 86_400_000);
    assertEquals(1, log.count("layout ends"));
    time.advance(86_400_000);

    assertEquals(2, log.count("layout ends"));
    assertTrue(log.all().get(1).contains("daysLeft, 1823"), log.all() + "");
    audit.close(PATIENCE_MS);
    String lines = Files.readString(folder.resolve("audit.log"));
    assertTrue(lines.contains("\"event\":\"layout ends\""), lines);
  }
}
