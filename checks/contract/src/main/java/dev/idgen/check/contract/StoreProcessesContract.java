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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a store must do for real processes that are really killed. The author of a store extends
 * this in its tests, and gives it a {@code main} that calls {@link #live}.
 *
 * <p>On one machine the operating system tells who has ended. Whoever takes over in a store that
 * machines share waits for the ends of the leases, so that fewer rounds are made there: in full
 * with {@code -Didgen.rounds=3}.
 */
public abstract class StoreProcessesContract {
  private static final int ROUNDS = 10;
  private static final int SHARED_ROUNDS = 2;
  private static final int CROWD = 6;
  private static final int REAL_ROUNDS = 3;

  /** Begins the namespace of a shared store; no child asks for it. */
  private static final int FIRST = 1_000;

  private static final int FOR_EVER = 1_000_000;

  @TempDir private Path folder;
  private @Nullable Path place; // where children open the store, if not in the folder itself
  private final List<Process> children = new ArrayList<>();
  private final Set<Path> begun = new HashSet<>();

  /** Opens the store in a folder. */
  protected abstract WorkerStore open(Path place);

  /** What children are told instead of a folder, if the store is not in one. */
  protected String address(Path place) {
    return place.toString();
  }

  /** Whether it is a store that machines share, where nobody can tell who has ended. */
  protected boolean shared() {
    return false;
  }

  private int rounds() {
    return Integer.getInteger("idgen.rounds", shared() ? 1 : REAL_ROUNDS);
  }

  /** The class whose {@code main} opens the store and calls {@link #live} with its arguments. */
  protected abstract Class<?> main();

  /**
   * The life of a child process.
   *
   * @param opening opens the store of the folder in the first argument; closed at the end
   * @param args of {@code main}
   */
  protected static void live(Supplier<WorkerStore> opening, String[] args) throws IOException {
    int lastWorkerId = Integer.parseInt(args[1]);
    int owners = Integer.parseInt(args[3]);
    if (owners == 1) {
      LeaseHolder.hold(opening, lastWorkerId, Integer.parseInt(args[2]));
    } else {
      LeaseHolder.holdMany(opening, lastWorkerId, owners);
    }
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
    for (int round = 1; round <= (shared() ? SHARED_ROUNDS : ROUNDS); round++) {
      Process child = start(0, FOR_EVER, 1);
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
      start(CROWD - 1, 3, 1);
    }
    Set<Long> ids = new HashSet<>();
    for (Process child : children) {
      String line = child.inputReader(StandardCharsets.US_ASCII).readLine();
      assertNotNull(line, "a child has ended");
      ids.add(number(line, 0));
    }
    assertEquals(CROWD, ids.size());
  }

  /**
   * C20: 50 owners of one host, ten in each of five processes: fifty processes would keep a small
   * machine busy for longer than all other tests here, since each start of a platform costs much
   * more than a claim. Nothing is lost by it: no address, host or process number takes part in who
   * is who, an owner has a name, a nonce and a token of its own, and ten in one process share all
   * that fifty processes of one host could share, and more.
   */
  @Test
  void claim_fiftyOwnersOfOneHost_allDifferent() throws Exception {
    crowd(5, 10, 49);
    assertEquals(50, told(10).size());
  }

  /** C25: 32 owners, eight in each of four processes, each time on a store that is empty. */
  @Test
  void claim_thirtyTwoAtOnce_allDifferent() throws Exception {
    for (int round = 0; round < rounds(); round++) {
      place = folder.resolve("round" + round);
      crowd(4, 8, 31);
      assertEquals(32, told(8).size());
      killAll();
    }
  }

  /** C26: ten new owners, in two processes, take over from ten that were killed, and again. */
  @Test
  void restart_newNamesEachTime_losesNoSlot() throws Exception {
    for (int round = 0; round <= rounds(); round++) {
      crowd(2, 5, 9);
      assertEquals(10, told(5).size());
      killAll();
    }
    assertEquals(List.of(rounds() + 1L), generations());
  }

  /**
   * C29: six owners in three processes, all killed at once. The operating system drops their locks,
   * so that on one machine every slot comes back without a wait; else after the window and the
   * delay of reuse.
   */
  @Test
  void kill_all_everySlotComesBack() throws Exception {
    for (int round = 0; round <= rounds(); round++) {
      crowd(3, 2, 5);
      assertEquals(6, told(2).size());
      killAll();
    }
    assertEquals(List.of(rounds() + 1L), generations());
  }

  private void crowd(int processes, int owners, int lastWorkerId) throws IOException {
    for (int i = 0; i < processes; i++) {
      start(lastWorkerId, 0, owners);
    }
  }

  /** The worker ids that the first lines of each child tell. */
  private Set<Long> told(int lines) throws IOException {
    Set<Long> ids = new HashSet<>();
    for (Process child : children) {
      BufferedReader told = child.inputReader(StandardCharsets.US_ASCII);
      for (int i = 0; i < lines; i++) {
        String line = told.readLine();
        assertNotNull(line, "a child has ended");
        ids.add(number(line, 0));
      }
    }
    return ids;
  }

  private void killAll() throws InterruptedException {
    for (Process child : children) {
      child.destroyForcibly();
    }
    endChildren();
    children.clear();
  }

  /** Each that a row has, once: all slots were used equally often if there is one. */
  private List<Long> generations() {
    try (WorkerStore store = open(folder)) {
      return store.list("default").toCompletableFuture().join().workers().stream()
          .filter(row -> row.workerId() != FIRST)
          .map(WorkerRow::generation)
          .distinct()
          .toList();
    }
  }

  /** Claims on a shared store would rest, unless somebody swears that it is new. */
  private void begin(Path where) {
    if (shared() && begun.add(where)) {
      try (WorkerStore store = open(where)) {
        LeaseHolder.begin(store, FIRST);
      }
    }
  }

  private Process start(int lastWorkerId, int renewals, int owners) throws IOException {
    Path where = place == null ? folder : place;
    begin(where);
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx32m",
                "-cp",
                System.getProperty("java.class.path"),
                main().getName(),
                address(where),
                Integer.toString(lastWorkerId),
                Integer.toString(renewals),
                Integer.toString(owners))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    children.add(child);
    return child;
  }

  private static long number(String line, int index) {
    return Long.parseLong(line.split(" ")[index]);
  }
}
