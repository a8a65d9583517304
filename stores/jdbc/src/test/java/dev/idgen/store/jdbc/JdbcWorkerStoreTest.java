package dev.idgen.store.jdbc;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.entropy.Entropy;
import dev.idgen.store.BehindPolicy;
import dev.idgen.store.ClaimRequest;
import dev.idgen.store.Decision;
import dev.idgen.store.LeaseReply;
import dev.idgen.store.LeaseTerms;
import dev.idgen.store.Refusal;
import dev.idgen.store.StoreException;
import dev.idgen.store.StoreOperation;
import dev.idgen.store.WorkerRow;
import dev.idgen.time.TimeSource;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

class JdbcWorkerStoreTest {
  private static final LeaseTerms TERMS = new LeaseTerms("default", "41/10/12", 3_000, 2_000, 1000);

  @TempDir private Path folder;
  private Path file;
  private String url;
  private long nonces = 1;

  @BeforeEach
  void place() {
    file = folder.resolve("data/idgen.db").toAbsolutePath();
    url = "jdbc:sqlite:" + file;
  }

  // ---- opening

  @Test
  void open_nothingThere_makesFolderFileAndTables() {
    try (JdbcWorkerStore store = JdbcWorkerStore.open(url)) {
      assertEquals("sqlite", store.kind());
      assertTrue(store.embedded());
      assertTrue(Files.isRegularFile(file));
      assertTrue(Files.isDirectory(folder.resolve("data/idgen.db.owners")));
    }
  }

  @Test
  void open_again_isTheSameDatabase() {
    String identity = identity();
    assertEquals(32, identity.length());
    assertEquals(identity, identity());
  }

  private String identity() {
    try (JdbcWorkerStore store = JdbcWorkerStore.open(url)) {
      return join(store.list("default")).identity();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:sqlite:",
        "jdbc:sqlite::memory:",
        "jdbc:sqlite:file:x.db",
        "jdbc:sqlite:x.db?mode=ro"
      })
  void open_noPlainFile_isRefused(String other) {
    assertEquals(
        "url: " + other + " (expected: jdbc:sqlite:<path of a file>, without options)",
        assertThrows(IllegalArgumentException.class, () -> JdbcWorkerStore.open(other))
            .getMessage());
  }

  @Test
  void open_otherDatabase_isRefused() {
    assertEquals(
        "url: jdbc:h2: (expected: jdbc:sqlite:<path>, postgres://, mariadb:// or mysql://)",
        assertThrows(IllegalArgumentException.class, () -> JdbcWorkerStore.open("jdbc:h2:x"))
            .getMessage());
  }

  @Test
  void open_folderIsAFile_isRefused() throws IOException {
    Files.writeString(folder.resolve("data"), "x");
    assertOpenRefused(
        "sqlite: "
            + folder.resolve("data")
            + ": java.nio.file.FileAlreadyExistsException: "
            + folder.resolve("data")
            + " (expected: a folder that can be made)");
  }

  @Test
  void open_fileIsAFolder_isRefused() throws IOException {
    Files.createDirectories(file);
    assertOpenRefused("sqlite: " + file + ": not a regular file (expected: a database file)");
  }

  @Test
  void open_notADatabase_isRefusedAndLeftAlone() throws IOException {
    Files.createDirectories(folder.resolve("data"));
    Files.writeString(file, "x".repeat(8_192));
    assertOpenRefused("sqlite: " + file + ": not a SQLite database (expected: one, or no file)");
    assertEquals(8_192, Files.size(file));
  }

  @Test
  void open_newerSchema_isRefused() throws SQLException {
    identity();
    sql("UPDATE idgen_meta SET schema_version = 99");
    assertOpenRefused(
        "sqlite: "
            + file
            + ": schema version 99 (expected: at most "
            + Schema.VERSION
            + "; a newer idgen wrote it)");
  }

  /** Nothing is made beside it, so that all is made once it is away. */
  @Test
  void open_tableOfAnotherProgram_isRefusedUntilItIsAway() throws IOException, SQLException {
    Files.createDirectories(folder.resolve("data"));
    sql("CREATE TABLE id_alloc (biz_tag TEXT NOT NULL PRIMARY KEY, max_id INTEGER NOT NULL)");
    assertOpenRefused(
        "sqlite: "
            + file
            + ": id_alloc is another program's table, it has no column floor_id (expected: a"
            + " database or schema of its own)");
    sql("DROP TABLE id_alloc");
    assertEquals(32, identity().length());
  }

  private void assertOpenRefused(String message) {
    StoreException e = assertThrows(StoreException.class, () -> JdbcWorkerStore.open(url));
    assertEquals(message, e.getMessage());
    assertFalse(e.outcomeUnknown());
  }

  /** An older schema is brought up to date, script by script, and keeps its rows. */
  @Test
  void schema_older_isMigrated() throws SQLException {
    Dialect dialect = new SqliteDialect(folder.resolve("other.db"), TimeSource.system());
    try (Connection c = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("other.db"))) {
      new Schema("migration", 1).apply(c, dialect);
      try (Statement s = c.createStatement()) {
        s.execute("INSERT INTO things (name) VALUES ('kept')");
      }
      new Schema("migration", 2).apply(c, dialect);
      new Schema("migration", 2).apply(c, dialect);
      assertEquals("2 first", text(c, "SELECT schema_version || ' ' || identity FROM idgen_meta"));
      assertEquals("kept 5", text(c, "SELECT name || ' ' || size FROM things"));
    }
  }

  private static String text(Connection c, String sql) throws SQLException {
    try (Statement s = c.createStatement();
        ResultSet row = s.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }

  @Test
  void open_durability_isFull() throws SQLException {
    try (Dialect dialect = new SqliteDialect(file, TimeSource.system());
        Connection c = dialect.connect()) {
      assertEquals("wal", text(c, "PRAGMA journal_mode"));
      assertEquals("2", text(c, "PRAGMA synchronous"));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void list_clock_isTheMachines() {
    try (JdbcWorkerStore store = JdbcWorkerStore.open(url)) {
      long before = TimeSource.system().wallMillis();
      long told = join(store.list("default")).storeMillis();
      long after = TimeSource.system().wallMillis();
      assertTrue(before - 1 <= told && told <= after + 1, before + " " + told + " " + after);
    }
  }

  // ---- owners

  @Test
  void claim_ownerOfAClosedStore_hasEnded() {
    WorkerRow row;
    try (JdbcWorkerStore store = JdbcWorkerStore.open(url)) {
      row = granted(claim(store, "a"));
      try (JdbcWorkerStore other = JdbcWorkerStore.open(url)) {
        assertInstanceOf(LeaseReply.Refused.class, claim(other, "b"));
      }
    }
    try (JdbcWorkerStore store = JdbcWorkerStore.open(url)) {
      WorkerRow next = granted(claim(store, "b"));
      assertEquals(row.horizonMillis(), next.fromMillis());
    }
  }

  @Test
  void open_locksOfForgottenOwners_areSwept() throws IOException {
    for (int i = 0; i < 3; i++) {
      try (JdbcWorkerStore store = JdbcWorkerStore.open(url)) {
        granted(claim(store, "owner-" + i));
      }
    }
    try (JdbcWorkerStore store = JdbcWorkerStore.open(url)) {
      try (var files = Files.list(folder.resolve("data/idgen.db.owners"))) {
        assertEquals(1, files.count(), store.kind());
      }
    }
  }

  // ---- the file, under way

  @Test
  void claim_fileDeleted_isRefused() throws IOException {
    try (JdbcWorkerStore store = JdbcWorkerStore.open(url)) {
      granted(claim(store, "a"));
      Files.delete(file);
      assertClaimRefused(
          store,
          "sqlite: "
              + file
              + ": was deleted (expected: the file that was opened; restart to use what is there"
              + " now, and if it is an older copy run `idgen fence`)");
    }
  }

  @Test
  void claim_folderDeleted_isRefused() throws IOException {
    try (JdbcWorkerStore store = JdbcWorkerStore.open(url)) {
      Files.move(folder.resolve("data"), folder.resolve("elsewhere"));
      StoreException e = failure(() -> claim(store, "a"));
      assertTrue(String.valueOf(e.getMessage()).contains(": was deleted (expected: "), e::toString);
    }
  }

  @Test
  void claim_fileReplaced_isRefused() throws IOException {
    Path copy = folder.resolve("copy.db");
    try (JdbcWorkerStore store = JdbcWorkerStore.open(url)) {
      Files.writeString(copy, "");
      Files.move(copy, file, StandardCopyOption.REPLACE_EXISTING);
      assertClaimRefused(
          store,
          "sqlite: "
              + file
              + ": was replaced by another file (expected: the file that was opened; restart to"
              + " use what is there now, and if it is an older copy run `idgen fence`)");
    }
  }

  /** It was committed, but into a file that nobody will ever read again. */
  @Test
  void claim_fileDeletedWhileCommitting_isUnknown() throws Exception {
    Dialect dialect =
        new SqliteDialect(file, TimeSource.system()) {
          @Override
          public long nowMillis(Connection c) throws SQLException {
            try {
              Files.delete(file);
            } catch (IOException e) {
              throw new SQLException(e);
            }
            return super.nowMillis(c);
          }
        };
    try (JdbcWorkerStore store = JdbcWorkerStore.open(dialect, Entropy.secure())) {
      assertTrue(failure(() -> claim(store, "a")).outcomeUnknown());
    }
  }

  @Test
  void claim_lockedForLong_isRefusedAndWorksAgain() throws SQLException {
    try (JdbcWorkerStore store = JdbcWorkerStore.open(url)) {
      try (Connection c = DriverManager.getConnection(url);
          Statement s = c.createStatement()) {
        s.execute("BEGIN IMMEDIATE");
        assertClaimRefused(
            store,
            "sqlite: "
                + file
                + ": locked by another process for 2500 ms (expected: free within that time)");
      }
      granted(claim(store, "a"));
    }
  }

  @Test
  void claim_damagedFile_isRefusedForGood() throws Exception {
    try (JdbcWorkerStore store = JdbcWorkerStore.open(url)) {
      granted(claim(store, "a"));
    }
    long size = Files.size(file);
    byte[] rest = new byte[(int) size - 100];
    Arrays.fill(rest, (byte) 0x5a);
    try (var channel = Files.newByteChannel(file, StandardOpenOption.WRITE)) {
      channel.position(100);
      channel.write(ByteBuffer.wrap(rest));
    }
    assertOpenRefused(
        "sqlite: "
            + file
            + ": damaged (expected: an intact database: put a backup in its place, then run `idgen"
            + " fence`)");
  }

  @Test
  void claim_readOnly_isRefused() {
    identity();
    try (JdbcWorkerStore store = opened("PRAGMA query_only = 1")) {
      assertClaimRefused(
          store,
          "sqlite: "
              + file
              + ": read-only (expected: a file, and a folder, that this process may write)");
    }
  }

  @Test
  void claim_diskFull_isRefusedAndWorksAgain() throws SQLException {
    identity();
    AtomicBoolean full = new AtomicBoolean(true);
    Dialect dialect =
        new SqliteDialect(file, TimeSource.system()) {
          @Override
          public Connection connect() throws SQLException {
            Connection c = super.connect();
            if (full.get()) {
              JdbcWorkerStoreTest.execute(c, "PRAGMA max_page_count = 1");
            }
            return c;
          }
        };
    try (JdbcWorkerStore store = JdbcWorkerStore.open(dialect, Entropy.secure())) {
      StoreException e = null;
      for (int i = 0; i < 200 && e == null; i++) {
        try {
          claim(store, "x".repeat(250) + i, i);
        } catch (StoreException thrown) {
          e = thrown;
        }
      }
      assertEquals(
          "sqlite: " + file + ": disk full (expected: free space)",
          e == null ? "never" : e.getMessage());
      full.set(false);
      granted(claim(store, "a", 999));
    }
  }

  /** What is read back after a failed write cannot be trusted to be on disk. */
  @Test
  void claim_diskError_isRefusedForGood() {
    AtomicBoolean fails = new AtomicBoolean();
    Dialect dialect =
        new SqliteDialect(file, TimeSource.system()) {
          @Override
          public long nowMillis(Connection c) throws SQLException {
            if (fails.get()) {
              throw new SQLException("[SQLITE_IOERR_FSYNC]", "", 1034);
            }
            return super.nowMillis(c);
          }
        };
    try (JdbcWorkerStore store = JdbcWorkerStore.open(dialect, Entropy.secure())) {
      fails.set(true);
      String message =
          "sqlite: " + file + ": disk error, [SQLITE_IOERR_FSYNC] (expected: a disk that works)";
      assertClaimRefused(store, message);
      fails.set(false);
      assertClaimRefused(store, message + ", seen at claim; restart when that is mended");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "14, 'cannot be opened (expected: a file, and a folder, that this process may write)'",
    "6, 'locked by another process for 2500 ms (expected: free within that time)'",
    "1, 'no such table (expected: no error)'"
  })
  void explain_otherFailures(int code, String message) throws IOException {
    try (Dialect dialect = new SqliteDialect(file, TimeSource.system())) {
      SQLException e = new SQLException("no such table", "", code);
      assertEquals("sqlite: " + file + ": " + message, dialect.explain(e));
      assertFalse(dialect.fatal(e));
    }
  }

  /** A lock or memory that is short for a moment says nothing about what the disk holds. */
  @ParameterizedTest
  @CsvSource({
    "SQLITE_IOERR, true",
    "SQLITE_IOERR_WRITE, true",
    "SQLITE_IOERR_FSYNC, true",
    "SQLITE_IOERR_DIR_FSYNC, true",
    "SQLITE_IOERR_TRUNCATE, true",
    "SQLITE_IOERR_CLOSE, true",
    "SQLITE_CORRUPT, true",
    "SQLITE_CORRUPT_INDEX, true",
    "SQLITE_NOTADB, true",
    "SQLITE_IOERR_LOCK, false",
    "SQLITE_IOERR_RDLOCK, false",
    "SQLITE_IOERR_NOMEM, false",
    "SQLITE_IOERR_BLOCKED, false",
    "SQLITE_IOERR_READ, false",
    "SQLITE_BUSY, false",
    "SQLITE_FULL, false"
  })
  void fatal_whatMayPass_isNot(SQLiteErrorCode code, boolean fatal) throws IOException {
    try (Dialect dialect = new SqliteDialect(file, TimeSource.system())) {
      assertEquals(fatal, dialect.fatal(new SQLiteException("", code)));
    }
  }

  // ---- ways to one database

  @Test
  void open_throughALink_sharesTheOwners() throws IOException {
    try (JdbcWorkerStore store = JdbcWorkerStore.open("jdbc:sqlite:" + file)) {
      granted(claim(store, "a", 7));
      Path link = Files.createSymbolicLink(file.resolveSibling("link"), file);
      try (JdbcWorkerStore second = JdbcWorkerStore.open("jdbc:sqlite:" + link)) {
        LeaseReply.Refused no = assertInstanceOf(LeaseReply.Refused.class, claim(second, "b", 7));
        assertEquals(Refusal.HELD, no.reason());
        granted(claim(second, "b", 8));
      }
      assertFalse(Files.exists(Path.of(link + ".owners")));
    }
  }

  @Test
  void open_hardLink_isRefused() throws IOException {
    JdbcWorkerStore.open("jdbc:sqlite:" + file).close();
    Path other = Files.createLink(file.resolveSibling("other"), file);
    StoreException e =
        assertThrows(StoreException.class, () -> JdbcWorkerStore.open("jdbc:sqlite:" + other));
    assertEquals(
        "sqlite: "
            + other
            + ": has 2 names, hard links (expected: one; a copy instead of a hard link)",
        e.getMessage());
  }

  // ---- commits

  /** C42: it was applied, and answered with an error. */
  @Test
  void claim_commitAnsweredWithAnError_isUnknownAndAdoptedWhenRepeated() {
    AtomicBoolean fails = new AtomicBoolean();
    try (JdbcWorkerStore store = failingAfterCommit(fails)) {
      ClaimRequest r = request("a", 0, nonces++);
      fails.set(true);
      StoreException e = failure(() -> join(store.claim(r)));
      assertTrue(e.outcomeUnknown());
      WorkerRow row = granted(join(store.claim(r)));
      assertEquals(1, row.generation());
      assertEquals(row, join(store.list("default")).workers().get(0));
    }
  }

  private JdbcWorkerStore failingAfterCommit(AtomicBoolean fails) {
    Dialect dialect =
        new SqliteDialect(file, TimeSource.system()) {
          @Override
          public Connection connect() throws SQLException {
            return afterCommit(super.connect(), fails);
          }
        };
    return JdbcWorkerStore.open(dialect, Entropy.secure());
  }

  private static Connection afterCommit(Connection c, AtomicBoolean fails) {
    return proxy(
        Connection.class,
        c,
        (name, args, result) ->
            name.equals("createStatement")
                ? proxy(
                    Statement.class,
                    (Statement) result,
                    (called, sql, done) -> {
                      if (sql != null && "COMMIT".equals(sql[0]) && fails.getAndSet(false)) {
                        throw new SQLException("connection lost", "", 1);
                      }
                      return done;
                    })
                : result);
  }

  private interface After {
    Object apply(String method, Object[] args, Object result) throws SQLException;
  }

  private static <T> T proxy(Class<T> type, T target, After after) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, args) -> {
              try {
                return after.apply(method.getName(), args, method.invoke(target, args));
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  @Test
  void write_rowChangedSinceItWasRead_isRefused() throws SQLException {
    try (JdbcWorkerStore store = JdbcWorkerStore.open(url);
        Connection c = DriverManager.getConnection(url)) {
      WorkerRow row = granted(claim(store, "a"));
      WorkerRow stale = new WorkerRow(0, "a", 1, row.token() + 1, 1, 0, 5, "i", 0, 9);
      StoreException e =
          assertThrows(StoreException.class, () -> Rows.write(c, "default", stale, row));
      assertEquals(
          "workerId 0: changed since it was read (expected: one writer at a time)", e.getMessage());
      Rows.write(c, "default", row, row);
    }
  }

  @Test
  void transact_faultInTheRules_isRefusedAndWorksAgain() {
    try (JdbcWorkerStore store = JdbcWorkerStore.open(url)) {
      StoreOperation faulty =
          new StoreOperation("claim", "default", null, StoreOperation.ALL_ROWS, s -> fault());
      StoreException e = failure(() -> join(store.transact(faulty)));
      assertFalse(e.outcomeUnknown());
      assertEquals("sqlite: claim: java.lang.ArithmeticException: overflow", e.getMessage());
      granted(claim(store, "a"));
    }
  }

  private static Decision fault() {
    throw new ArithmeticException("overflow");
  }

  @Test
  void open_twoFiles_haveDifferentIdentities() {
    String first = identity();
    url = "jdbc:sqlite:" + folder.resolve("second.db");
    assertNotEquals(first, identity());
  }

  @Test
  void close_whileCallsWait_answersThem() {
    JdbcWorkerStore store = JdbcWorkerStore.open(url);
    CompletionStage<LeaseReply> stage = store.claim(request("a", 0, nonces++));
    store.close();
    assertDoesNotThrow(() -> join(stage));
  }

  // ---- words

  private JdbcWorkerStore opened(String pragma) {
    Dialect dialect =
        new SqliteDialect(file, TimeSource.system()) {
          @Override
          public long nowMillis(Connection c) throws SQLException {
            JdbcWorkerStoreTest.execute(c, pragma);
            return super.nowMillis(c);
          }
        };
    return JdbcWorkerStore.open(dialect, Entropy.secure());
  }

  private static void execute(Connection c, String sql) throws SQLException {
    try (Statement s = c.createStatement()) {
      s.execute(sql);
    }
  }

  private void sql(String text) throws SQLException {
    try (Connection c = DriverManager.getConnection(url)) {
      execute(c, text);
    }
  }

  private void assertClaimRefused(JdbcWorkerStore store, String message) {
    StoreException e = failure(() -> claim(store, "z"));
    assertEquals(message, e.getMessage());
    assertFalse(e.outcomeUnknown());
  }

  private static StoreException failure(Runnable work) {
    return assertThrows(StoreException.class, work::run);
  }

  private LeaseReply claim(JdbcWorkerStore store, String owner) {
    return claim(store, owner, 0);
  }

  private LeaseReply claim(JdbcWorkerStore store, String owner, int workerId) {
    return join(store.claim(request(owner, workerId, nonces++)));
  }

  private static ClaimRequest request(String owner, int workerId, long nonce) {
    return new ClaimRequest(
        TERMS,
        owner,
        nonce,
        nonce,
        workerId,
        workerId,
        -1,
        TimeSource.system().wallMillis(),
        60_000,
        BehindPolicy.REFUSE,
        false);
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
}
