package dev.idgen.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.layout.Layouts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ten million ids from a real server over eight connections at once: two million in plain lists of
 * ten thousand, and the others as runs, since to write and read all of them digit by digit would
 * take most of the time.
 */
class MillionsTest {
  private static final int CONNECTIONS = 8;
  private static final int LISTS = 25; // of each connection
  private static final int LIST = 10_000;
  private static final int RUNS = 10; // calls of each connection
  private static final int IN_RUNS = 100_000;
  private static final int EACH = LISTS * LIST + RUNS * IN_RUNS;
  private static final Pattern RUN =
      Pattern.compile("\\{\"first\":\"(\\d+)\",\"count\":(\\d+),\"stride\":(\\d+)}");

  @TempDir private Path folder;

  @Test
  void batches_tenMillionOverEightConnections_allDiffer() throws Exception {
    long[] all = new long[CONNECTIONS * EACH];
    int worker;
    try (ServeProcess server = ServeProcess.ready(folder)) {
      worker = Integer.parseInt(server.worker());
      List<FutureTask<Integer>> takers = new ArrayList<>();
      for (int i = 0; i < CONNECTIONS; i++) {
        int from = i * EACH;
        takers.add(new FutureTask<>(() -> take(server.port(), all, from)));
        new Thread(takers.get(i), "connection-" + i).start();
      }
      for (FutureTask<Integer> taker : takers) {
        assertEquals(EACH, taker.get());
      }
    }
    assertEquals(10_000_000, all.length);
    Arrays.sort(all);
    long before = -1;
    for (long id : all) {
      assertTrue(id > before, () -> "twice: " + id);
      assertEquals(worker, Layouts.IDGEN.workerOf(id));
      before = id;
    }
  }

  /** Takes turns between both forms; what one connection gets rises. */
  private static int take(int port, long[] into, int from) throws IOException {
    int at = from;
    try (Wire wire = new Wire(port)) {
      for (int i = 0; i < LISTS; i++) {
        at = list(wire.post("/ids/batch", "{\"count\":" + LIST + "}"), into, at);
        if (i < RUNS) {
          at = runs(wire.post("/ids/batch?form=runs", "{\"count\":" + IN_RUNS + "}"), into, at);
        }
      }
    }
    for (int i = from + 1; i < at; i++) {
      if (into[i] <= into[i - 1]) {
        throw new IOException("id: " + into[i] + " (expected: > " + into[i - 1] + ")");
      }
    }
    return at - from;
  }

  private static int list(byte[] reply, long[] into, int from) {
    int at = from;
    long id = -1;
    int i = new String(reply, 0, 100, StandardCharsets.US_ASCII).indexOf('[');
    for (; reply[i] != ']'; i++) {
      if (reply[i] >= '0' && reply[i] <= '9') {
        id = Math.max(0, id) * 10 + reply[i] - '0';
      } else if (id >= 0) {
        into[at++] = id;
        id = -1;
      }
    }
    return at;
  }

  private static int runs(byte[] reply, long[] into, int from) {
    int at = from;
    Matcher run = RUN.matcher(new String(reply, StandardCharsets.US_ASCII));
    while (run.find()) {
      long id = Long.parseLong(run.group(1));
      for (int i = Integer.parseInt(run.group(2)); i > 0; i--) {
        into[at++] = id;
        id += Long.parseLong(run.group(3));
      }
    }
    return at;
  }
}
