package dev.idgen.store.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.entropy.Entropy;
import dev.idgen.lock.LockFile;
import dev.idgen.store.BehindPolicy;
import dev.idgen.store.ClaimRequest;
import dev.idgen.store.ExtendRequest;
import dev.idgen.store.LeaseReply;
import dev.idgen.store.LeaseTerms;
import dev.idgen.store.Refusal;
import dev.idgen.store.ReleaseRequest;
import dev.idgen.store.StoreException;
import dev.idgen.store.WorkerRow;
import dev.idgen.time.TimeSource;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileWorkerStoreTest {
  private static final LeaseTerms TERMS = new LeaseTerms("default", "41/10/12", 2_000, 2_000, 1000);

  @TempDir private Path folder;
  private final Wall time = new Wall();
  private long nonces = 1;

  // ---- one file, one process

  @Test
  void openFile_nothingThere_makesFolderAndFile() throws IOException {
    Path file = folder.resolve("a/b/ids.state");
    try (FileWorkerStore store = FileWorkerStore.openFile(file, time)) {
      granted(claim(store, "a", 7));
      List<String> lines = Files.readAllLines(file);
      assertEquals("idgen leases, version 1", lines.get(0));
      assertTrue(lines.get(1).startsWith("identity "));
      assertTrue(lines.get(2).startsWith("namespace default layout=41/10/12 identity="));
      assertTrue(lines.get(3).startsWith("worker default 7 owner=a generation=1 "));
      assertTrue(lines.get(4).startsWith("checksum "));
    }
  }

  @Test
  void openFile_againInThisProcess_isRefused() {
    Path file = folder.resolve("ids.state");
    try (FileWorkerStore store = FileWorkerStore.openFile(file, time)) {
      StoreException e =
          assertThrows(StoreException.class, () -> FileWorkerStore.openFile(file, time));
      assertTrue(
          String.valueOf(e.getMessage())
              .matches(
                  "file: .*/ids.state: held by this process, pid \\d+ on \\S+ \\(expected: one"
                      + " process at a time, and one generator in it\\)"),
          e::toString);
      granted(claim(store, "a", 7));
    }
    FileWorkerStore.openFile(file, time).close();
  }

  /** Two locks for one state would let two generators issue the same ids. */
  @Test
  void open_stateThatIsOpenAlone_isRefused() {
    time.fast = true;
    try (FileWorkerStore alone = FileWorkerStore.openFile(folder.resolve("state"))) {
      assertEquals("file", alone.kind());
      var e = assertThrows(StoreException.class, () -> FileWorkerStore.open(folder, time));
      assertTrue(String.valueOf(e.getMessage()).contains("locked by others"), e.getMessage());
    }
    FileWorkerStore.open(folder).close();
  }

  @Test
  void openFile_throughALink_isTheSameStore() throws IOException {
    Path file = folder.resolve("ids.state");
    FileWorkerStore.openFile(file, time).close();
    Path link =
        Files.createSymbolicLink(Files.createDirectory(folder.resolve("a")).resolve("l"), file);
    try (FileWorkerStore store = FileWorkerStore.openFile(file, time)) {
      StoreException e =
          assertThrows(StoreException.class, () -> FileWorkerStore.openFile(link, time));
      assertTrue(String.valueOf(e.getMessage()).contains("held by this process"), e::toString);
      granted(claim(store, "a", 7));
    }
    try (FileWorkerStore store = FileWorkerStore.openFile(link, time)) {
      granted(claim(store, "b", 8));
    }
    assertTrue(Files.isSymbolicLink(link));
    assertTrue(Files.readString(file).contains("worker default 8 owner=b "));
  }

  @Test
  void openFile_linkToNothing_isRefused() throws IOException {
    Path link = Files.createSymbolicLink(folder.resolve("l"), folder.resolve("gone"));
    StoreException e =
        assertThrows(StoreException.class, () -> FileWorkerStore.openFile(link, time));
    assertEquals(
        "file: "
            + link
            + ": a link to "
            + folder.resolve("gone")
            + " (expected: a link to what exists)",
        e.getMessage());
  }

  @Test
  void openFile_hardLink_isRefused() throws IOException {
    Path file = folder.resolve("ids.state");
    FileWorkerStore.openFile(file, time).close();
    Path other = Files.createLink(folder.resolve("other"), file);
    for (Path each : List.of(file, other)) {
      StoreException e =
          assertThrows(StoreException.class, () -> FileWorkerStore.openFile(each, time));
      assertEquals(
          "file: "
              + each
              + ": has 2 names, hard links (expected: one; a copy instead of a hard link)",
          e.getMessage());
    }
    Files.delete(other);
    FileWorkerStore.openFile(file, time).close();
  }

  @Test
  void open_throughALink_isTheSameStore() throws IOException {
    Path real = folder.resolve("real");
    try (FileWorkerStore store = FileWorkerStore.open(real, time)) {
      granted(claim(store, "a", 7));
      Path link = Files.createSymbolicLink(folder.resolve("l"), real);
      Path other = Files.createDirectory(folder.resolve("other"));
      Path state = Files.createSymbolicLink(other.resolve("state"), real.resolve("state"));
      for (Path each : List.of(link, other)) {
        try (FileWorkerStore second = FileWorkerStore.open(each, time)) {
          LeaseReply.Refused no = assertInstanceOf(LeaseReply.Refused.class, claim(second, "b", 7));
          assertEquals(Refusal.HELD, no.reason());
        }
      }
      assertTrue(Files.isSymbolicLink(state));
      assertFalse(Files.exists(other.resolve("owners")));
    }
  }

  @Test
  void openFile_anotherProcessHasIt_isRefusedNamingIt() throws Exception {
    Path file = folder.resolve("ids.state");
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Holder.class.getName(),
                file.toString())
            .start();
    try (BufferedReader told = child.inputReader(StandardCharsets.US_ASCII)) {
      assertEquals("open", told.readLine());
      StoreException e =
          assertThrows(StoreException.class, () -> FileWorkerStore.openFile(file, time));
      assertTrue(
          String.valueOf(e.getMessage())
              .startsWith("file: " + file + ": held by pid " + child.pid() + " on "),
          e::toString);
    } finally {
      child.destroyForcibly().waitFor();
    }
    try (FileWorkerStore store = FileWorkerStore.openFile(file, time)) {
      granted(claim(store, "a", 7));
    }
  }

  /** Has a state file open until it is killed. */
  static final class Holder {
    private Holder() {}

    public static void main(String[] args) throws IOException {
      try (FileWorkerStore store = FileWorkerStore.openFile(Path.of(args[0]))) {
        System.out.println(store.kind().equals("file") ? "open" : "what?");
        assertTrue(System.in.read() < 0);
      }
    }
  }

  /** C3: saved up to 11 s, killed, and started again with the clock at 10 s. */
  @Test
  void openFile_afterKill_startsAboveWhatWasSaved() {
    Path file = folder.resolve("ids.state");
    time.wall.set(9_000);
    try (FileWorkerStore store = FileWorkerStore.openFile(file, time)) {
      assertEquals(11_000, granted(claim(store, "a", 7)).horizonMillis());
    }
    time.wall.set(10_000);
    try (FileWorkerStore store = FileWorkerStore.openFile(file, time)) {
      LeaseReply.Refused no =
          assertInstanceOf(LeaseReply.Refused.class, join(store.claim(request("b", 7, 0))));
      assertEquals(Refusal.CLOCK_BEHIND, no.reason());
      assertEquals("clock: 10000 (expected: >= 11000, where ids were issued before)", no.message());
      assertEquals(11_000, granted(join(store.claim(request("b", 7, 1_000)))).fromMillis());
    }
  }

  @Test
  void openFile_twoGeneratorsInTheProcess_areTwoOwners() {
    try (FileWorkerStore store = FileWorkerStore.openFile(folder.resolve("s"), time)) {
      granted(claim(store, "a", 7));
      LeaseReply.Refused no = assertInstanceOf(LeaseReply.Refused.class, claim(store, "b", 7));
      assertEquals(Refusal.HELD, no.reason());
    }
  }

  // ---- a folder, several processes

  @Test
  void open_ownerOfAClosedStore_hasEnded() {
    try (FileWorkerStore one = FileWorkerStore.open(folder, time)) {
      granted(claim(one, "a", 7));
      try (FileWorkerStore two = FileWorkerStore.open(folder, time)) {
        assertInstanceOf(LeaseReply.Refused.class, claim(two, "b", 7));
      }
    }
    try (FileWorkerStore two = FileWorkerStore.open(folder, time)) {
      WorkerRow next = granted(claim(two, "b", 7));
      assertEquals(time.wall.get() + 2_000, next.fromMillis());
    }
  }

  @Test
  void open_lockedForLong_isRefused() throws IOException {
    FileWorkerStore.open(folder, time).close();
    try (var lock = LockFile.tryLock(folder.resolve("state.lock"), "test").lock()) {
      assertNotNull(lock);
      time.fast = true;
      StoreException e =
          assertThrows(StoreException.class, () -> FileWorkerStore.open(folder, time));
      assertEquals(
          "file: "
              + folder.resolve("state.lock")
              + ": locked by others for 5000 ms (expected: free within that time)",
          e.getMessage());
    }
  }

  // ---- what may be wrong with the file

  @Test
  void claim_fileDeleted_isRefused() throws IOException {
    try (FileWorkerStore store = FileWorkerStore.open(folder, time)) {
      Files.delete(folder.resolve("state"));
      assertClaimRefused(
          store,
          "file: "
              + folder.resolve("state")
              + ": was deleted (expected: the file that was opened; put it back, or restart once"
              + " the clock is past every id that was issued)");
    }
  }

  @Test
  void open_damagedAnywhere_isRefusedAndLeftAlone() throws IOException {
    Path file = folder.resolve("state");
    try (FileWorkerStore store = FileWorkerStore.open(folder, time)) {
      granted(claim(store, "a", 7));
    }
    byte[] good = Files.readAllBytes(file);
    for (int i = 0; i < good.length; i += 5) {
      byte[] bad = good.clone();
      bad[i] ^= 1;
      assertDamaged(file, bad);
      assertDamaged(file, Arrays.copyOf(good, i));
    }
    Files.write(file, good);
    FileWorkerStore.open(folder, time).close();
  }

  private void assertDamaged(Path file, byte[] bad) throws IOException {
    Files.write(file, bad);
    StoreException e = assertThrows(StoreException.class, () -> FileWorkerStore.open(folder, time));
    assertTrue(
        String.valueOf(e.getMessage())
            .endsWith(
                "; put a backup in its place and run `idgen fence`, or move it away once the clock"
                    + " is past every id that was issued"),
        e::toString);
    assertEquals(bad.length, Files.size(file));
  }

  @Test
  void open_folderIsAFile_isRefused() throws IOException {
    Path file = Files.writeString(folder.resolve("x"), "x");
    StoreException e = assertThrows(StoreException.class, () -> FileWorkerStore.open(file, time));
    assertTrue(
        String.valueOf(e.getMessage())
            .endsWith(" (expected: a folder that this process may write)"),
        e::toString);
  }

  // ---- what may be wrong with the disk

  @Test
  void claim_writeFails_isRefusedAndWorksAgain() {
    Failing disk = new Failing();
    try (FileWorkerStore store = FileWorkerStore.open(disk, folder, time, Entropy.secure())) {
      disk.at = "write";
      StoreException e = failure(store);
      assertEquals(
          "file: "
              + folder.resolve("state")
              + ": No space left on device (expected: a folder that can be written, with free"
              + " space)",
          e.getMessage());
      assertFalse(e.outcomeUnknown());
      disk.at = "";
      granted(claim(store, "a", 7));
    }
  }

  @Test
  void claim_syncFails_everythingAfterItIsRefused() {
    Failing disk = new Failing();
    try (FileWorkerStore store = FileWorkerStore.open(disk, folder, time, Entropy.secure())) {
      disk.at = "sync";
      String message =
          "file: "
              + folder.resolve("state.new")
              + ": sync failed, No space left on device (expected: a disk that works; restart when"
              + " it does)";
      assertEquals(message, failure(store).getMessage());
      disk.at = "";
      StoreException e = failure(store);
      assertEquals(message, e.getMessage());
      assertFalse(e.outcomeUnknown());
      assertThrows(StoreException.class, () -> join(store.list("default")));
    }
  }

  @Test
  void claim_syncOfTheFolderFails_isUnknownAndEverythingAfterItIsRefused() {
    Failing disk = new Failing();
    try (FileWorkerStore store = FileWorkerStore.open(disk, folder, time, Entropy.secure())) {
      disk.at = "syncFolder";
      assertTrue(failure(store).outcomeUnknown());
      disk.at = "";
      assertFalse(failure(store).outcomeUnknown());
    }
  }

  @Test
  void claim_replaceFails_isUnknown() {
    Failing disk = new Failing();
    try (FileWorkerStore store = FileWorkerStore.open(disk, folder, time, Entropy.secure())) {
      disk.at = "replace";
      assertTrue(failure(store).outcomeUnknown());
      disk.at = "";
      granted(claim(store, "a", 7));
    }
  }

  /** The disk of this machine, but for one call. */
  private static final class Failing implements Disk {
    private volatile String at = "";

    private void check(String call) throws IOException {
      if (call.equals(at)) {
        throw new IOException("No space left on device");
      }
    }

    @Override
    public byte @Nullable [] read(Path file) throws IOException {
      check("read");
      return REAL.read(file);
    }

    @Override
    public void write(Path file, byte[] bytes) throws IOException {
      check("write");
      REAL.write(file, bytes);
    }

    @Override
    public void sync(Path file) throws IOException {
      check("sync");
      REAL.sync(file);
    }

    @Override
    public void replace(Path from, Path to) throws IOException {
      check("replace");
      REAL.replace(from, to);
    }

    @Override
    public void syncFolder(Path path) throws IOException {
      check("syncFolder");
      REAL.syncFolder(path);
    }
  }

  // ---- crashes

  /** C4: whatever the step, the file is whole, and knows at least what was acknowledged. */
  @Test
  void crash_atEveryStep_losesNothingAcknowledged() {
    long seed = Long.getLong("idgen.seed", new Random().nextLong());
    System.out.println("idgen.seed=" + seed);
    Random random = new Random(seed);
    boolean crashed = true;
    int step = 1;
    for (; crashed; step++) {
      for (int i = 0; i < 2; i++) {
        Life life = new Life(new CrashingDisk(step, random));
        crashed = life.lived();
        life.check(life.disk.afterCrash());
      }
    }
    assertTrue(step > 20, "steps: " + step);
  }

  /** A claim, some renewals, a release and another claim; and what was acknowledged of it. */
  private final class Life {
    private final CrashingDisk disk;
    private @Nullable WorkerRow acknowledged;
    private long lowest; // what a release under way may have made of the horizon

    Life(CrashingDisk disk) {
      this.disk = disk;
    }

    boolean lived() {
      try (FileWorkerStore store = FileWorkerStore.openFile(disk, path(), time, Entropy.secure())) {
        WorkerRow row = acknowledged(claim(store, "a", 7));
        for (int i = 0; i < 2; i++) {
          time.wall.addAndGet(500);
          row = acknowledged(join(store.extend(extension(row))));
        }
        lowest = time.wall.get();
        acknowledged(
            join(
                store.release(
                    new ReleaseRequest(
                        TERMS, 7, row.generation(), row.token(), 0, time.wall.get()))));
        time.wall.addAndGet(1);
        acknowledged(claim(store, "b", 7));
        return false;
      } catch (StoreException e) {
        assertInstanceOf(CrashingDisk.Crash.class, e.getCause());
        return true;
      }
    }

    private WorkerRow acknowledged(LeaseReply reply) {
      WorkerRow row = granted(reply);
      acknowledged = row;
      lowest = row.horizonMillis();
      return row;
    }

    void check(CrashingDisk after) {
      try (FileWorkerStore store =
          FileWorkerStore.openFile(after, path(), time, Entropy.secure())) {
        List<WorkerRow> rows = join(store.list("default")).workers();
        WorkerRow known = acknowledged;
        if (known != null) {
          WorkerRow found = rows.get(0);
          assertTrue(found.generation() >= known.generation(), found + " after " + known);
          assertTrue(found.horizonMillis() >= lowest, found + " after " + known);
        }
      }
    }

    private Path path() {
      return folder.resolve("ids.state");
    }
  }

  // ---- words

  private StoreException failure(FileWorkerStore store) {
    return assertThrows(StoreException.class, () -> claim(store, "a", 7));
  }

  private void assertClaimRefused(FileWorkerStore store, String message) {
    StoreException e = failure(store);
    assertEquals(message, e.getMessage());
    assertFalse(e.outcomeUnknown());
  }

  private LeaseReply claim(FileWorkerStore store, String owner, int workerId) {
    return join(store.claim(request(owner, workerId, 60_000)));
  }

  private ClaimRequest request(String owner, int workerId, long maxWaitMs) {
    long nonce = nonces++;
    return new ClaimRequest(
        TERMS,
        owner,
        nonce,
        nonce,
        workerId,
        workerId,
        -1,
        time.wall.get(),
        maxWaitMs,
        BehindPolicy.REFUSE,
        false);
  }

  private ExtendRequest extension(WorkerRow row) {
    return new ExtendRequest(
        TERMS,
        7,
        row.generation(),
        row.token(),
        0,
        nonces++ << 8,
        time.wall.get(),
        time.wall.get());
  }

  private static WorkerRow granted(LeaseReply reply) {
    return assertInstanceOf(LeaseReply.Granted.class, reply, reply::toString).row();
  }

  private static <T> T join(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().join();
    } catch (CompletionException e) {
      throw assertInstanceOf(StoreException.class, e.getCause(), e::toString);
    }
  }

  /** A wall clock that stands still; pauses that are real, or take no time at all. */
  private static final class Wall implements TimeSource {
    private final AtomicLong wall = new AtomicLong(1_800_000_000_000L);
    private volatile boolean fast;
    private final AtomicLong skipped = new AtomicLong();

    @Override
    public long wallMillis() {
      return wall.get();
    }

    @Override
    public long monotonicNanos() {
      return fast ? skipped.get() : TimeSource.system().monotonicNanos();
    }

    @Override
    public void pause(long nanos) {
      if (fast) {
        skipped.addAndGet(nanos);
      } else {
        TimeSource.system().pause(nanos);
      }
    }
  }
}
