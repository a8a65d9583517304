package dev.idgen.check.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.store.WorkerRow;
import dev.idgen.store.WorkerStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a store of one machine must do for real processes that are really killed. The author of such
 * a store extends this in its tests, and gives it a {@code main} that calls {@link #live}.
 */
public abstract class StoreProcessesContract {
  private static final int ROUNDS = 10;
  private static final int CROWD = 6;
  private static final int FOR_EVER = 1_000_000;

  @TempDir private Path folder;
  private final List<Process> children = new ArrayList<>();

  /** Opens the store in a folder. */
  protected abstract WorkerStore open(Path place);

  /** The class whose {@code main} opens the store and calls {@link #live} with its arguments. */
  protected abstract Class<?> main();

  /**
   * The life of a child process.
   *
   * @param store of the folder in the first argument; closed at the end
   * @param args of {@code main}
   */
  protected static void live(WorkerStore store, String[] args) throws IOException {
    LeaseHolder.hold(store, Integer.parseInt(args[1]), Integer.parseInt(args[2]));
  }

  @AfterEach
  void endChildren() throws InterruptedException {
    for (Process child : children) {
      child.destroyForcibly().waitFor();
    }
  }

  /** C4, C29: killed at any moment, a holder leaves behind at least what it was told. */
  @Test
  void kill_atAnyMoment_losesNothingAcknowledged() throws Exception {
    long seed = Long.getLong("idgen.seed", new Random().nextLong());
    System.out.println("idgen.seed=" + seed);
    Random random = new Random(seed);
    long horizon = 0;
    for (int round = 1; round <= ROUNDS; round++) {
      Process child = start(0, FOR_EVER);
      BufferedReader told = child.inputReader(StandardCharsets.US_ASCII);
      String last = told.readLine();
      assertNotNull(last, "no lease in round " + round);
      assertEquals(round, number(last, 1));
      assertTrue(number(last, 2) >= horizon, last + " starts below " + horizon);
      for (int i = random.nextInt(60); i > 0; i--) {
        last = told.readLine();
      }
      child.toHandle().destroyForcibly(); // unlike the process itself, it leaves what was printed
      horizon = number(lastLine(told, last), 3);
      child.waitFor();
      WorkerRow row = row();
      assertEquals(round, row.generation());
      assertTrue(row.horizonMillis() >= horizon, row + " is below " + horizon);
    }
  }

  private WorkerRow row() {
    try (WorkerStore store = open(folder)) {
      return store.list("default").toCompletableFuture().join().workers().get(0);
    }
  }

  /** The last whole line: the one that was being written when the end came counts for nothing. */
  private static String lastLine(BufferedReader told, String known) throws IOException {
    String last = known;
    String line;
    while ((line = told.readLine()) != null) {
      if (line.matches("\\d+ \\d+ \\d+ \\d{13}")) {
        last = line;
      }
    }
    return last;
  }

  /** C20, C25: on an empty folder, all at once. */
  @Test
  void claim_processesAtOnce_allDifferent() throws Exception {
    for (int i = 0; i < CROWD; i++) {
      start(CROWD - 1, 3);
    }
    Set<Long> ids = new HashSet<>();
    for (Process child : children) {
      String line = child.inputReader(StandardCharsets.US_ASCII).readLine();
      assertNotNull(line, "a child has ended");
      ids.add(number(line, 0));
    }
    assertEquals(CROWD, ids.size());
  }

  private Process start(int lastWorkerId, int renewals) throws IOException {
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                main().getName(),
                folder.toString(),
                Integer.toString(lastWorkerId),
                Integer.toString(renewals))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    children.add(child);
    return child;
  }

  private static long number(String line, int index) {
    return Long.parseLong(line.split(" ")[index]);
  }
}
