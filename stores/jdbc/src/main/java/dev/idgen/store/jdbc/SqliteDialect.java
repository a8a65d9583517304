package dev.idgen.store.jdbc;

import dev.idgen.lock.Folder;
import dev.idgen.lock.OwnerLocks;
import dev.idgen.lock.RealPath;
import dev.idgen.store.StoreException;
import dev.idgen.time.TimeSource;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sqlite.BusyHandler;
import org.sqlite.JDBC;
import org.sqlite.SQLiteException;

/** SQLite in one file: write-ahead log, a sync of the disk in every commit. */
class SqliteDialect implements Dialect {
  static final String PREFIX = "jdbc:sqlite:";

  private static final int BUSY_TIMEOUT_MS = 2_500;
  private static final long BUSY_AGAIN_NANOS = 1_000_000;
  private static final int WAL_TRIES = 250; // turning it on does not wait for other processes
  private static final long WAL_AGAIN_NANOS = 10_000_000;

  // The primary codes of sqlite.org/rescode.html.
  private static final int BUSY = 5;
  private static final int LOCKED = 6;
  private static final int READONLY = 8;
  private static final int IOERR = 10;
  private static final int CORRUPT = 11;
  private static final int FULL = 13;
  private static final int CANTOPEN = 14;
  private static final int NOTADB = 26;

  /**
   * The extended codes after which nobody knows what the disk holds, and the one that tells nothing
   * more. The others, of locks, memory, or reading, may pass.
   */
  private static final Set<Integer> FATAL_IOERR =
      Set.of(
          IOERR, 778, // write
          1034, // fsync
          1290, // fsync of the folder
          1546, // truncate
          4106, // close
          7690, // commit atomic
          8202, // checksum of a page
          8458); // corrupt file system

  private final Path file;
  private final TimeSource time;
  private final Object fileKey;
  private final OwnerLocks owners;

  /**
   * Makes the file and its folders if they are missing.
   *
   * @throws StoreException they cannot be made
   */
  SqliteDialect(Path file, TimeSource time) {
    this.file = real(file);
    this.time = time;
    this.fileKey = madeKey();
    try {
      this.owners = new OwnerLocks(Path.of(this.file + ".owners"), time);
    } catch (IOException e) {
      throw unusable(this.file + ".owners", e, "a folder that can be made");
    }
  }

  /**
   * The file behind a URL.
   *
   * @throws IllegalArgumentException the URL is not one of a plain file
   */
  static Path fileOf(String url) {
    String path = url.substring(PREFIX.length());
    boolean plain = !path.isBlank() && !path.startsWith(":") && !path.startsWith("file:");
    if (!plain || path.indexOf('?') >= 0) {
      throw new IllegalArgumentException(
          "url: " + url + " (expected: jdbc:sqlite:<path of a file>, without options)");
    }
    return Path.of(path);
  }

  /** All ways to one database must meet at one folder of owners, and at one log of SQLite's. */
  private static Path real(Path file) {
    Path absolute = file.toAbsolutePath();
    try {
      return RealPath.of(absolute);
    } catch (RealPath.AmbiguousException e) {
      throw StoreException.refused("sqlite: " + absolute + ": " + e.getMessage(), e);
    } catch (IOException e) {
      throw unusable(String.valueOf(absolute.getParent()), e, "a folder that can be made");
    }
  }

  private Object madeKey() {
    try {
      Files.createFile(file);
      Folder.sync(file.getParent());
    } catch (FileAlreadyExistsException e) {
      // The usual case. It is not opened here: closing it again would drop SQLite's locks.
    } catch (IOException e) {
      throw unusable(file.toString(), e, "a file that can be made");
    }
    Object key = keyNow();
    if (key == null || !Files.isRegularFile(file)) {
      throw StoreException.refused(
          "sqlite: " + file + ": not a regular file (expected: a database file)");
    }
    return key;
  }

  private static StoreException unusable(String path, IOException e, String expected) {
    String found = e instanceof AccessDeniedException ? "access denied" : String.valueOf(e);
    return StoreException.refused(
        "sqlite: " + path + ": " + found + " (expected: " + expected + ")", e);
  }

  @Override
  public String kind() {
    return "sqlite";
  }

  @Override
  public boolean embedded() {
    return true;
  }

  @Override
  public String place() {
    return file.toString();
  }

  @Override
  public Connection connect() throws SQLException {
    Connection connection = JDBC.createConnection(PREFIX + file, new Properties());
    boolean done = false;
    try (Statement statement = connection.createStatement()) {
      BusyHandler.setHandler(connection, new Patience());
      turnOnLog(statement);
      statement.execute("PRAGMA synchronous = FULL");
      done = true;
      return connection;
    } finally {
      if (!done) {
        connection.close();
      }
    }
  }

  /**
   * Asks for a lock again and again at one pace. SQLite's own waiting slows down the longer it
   * takes, so that whoever came last gets the lock and the first may starve.
   */
  private final class Patience extends BusyHandler {
    private long begun;

    @Override
    protected int callback(int earlierCalls) {
      long now = time.monotonicNanos();
      if (earlierCalls == 0) {
        begun = now;
      }
      time.pause(BUSY_AGAIN_NANOS);
      return now - begun < BUSY_TIMEOUT_MS * 1_000_000L ? 1 : 0;
    }
  }

  private void turnOnLog(Statement statement) throws SQLException {
    for (int i = 1; ; i++) {
      try (ResultSet mode = statement.executeQuery("PRAGMA journal_mode = WAL")) {
        String found = mode.next() ? mode.getString(1) : "none";
        if (found.equals("wal")) {
          return;
        }
        throw StoreException.refused(
            "sqlite: " + file + ": journal mode " + found + " (expected: wal, on a local disk)");
      } catch (SQLException e) {
        if (primary(e) != BUSY || i == WAL_TRIES) {
          throw e;
        }
        time.pause(WAL_AGAIN_NANOS);
      }
    }
  }

  @Override
  public String beginWriting() {
    return "BEGIN IMMEDIATE";
  }

  @Override
  public String beginReading() {
    return "BEGIN";
  }

  @Override
  public String lockRow() {
    return ""; // one writer at a time
  }

  /** Made with the file. */
  @Override
  public String identity() {
    return "identity";
  }

  @Override
  public boolean hasTables(Connection connection) throws SQLException {
    try (ResultSet table = connection.getMetaData().getTables(null, null, "idgen_meta", null)) {
      return table.next();
    }
  }

  @Override
  public void lockSchema(Connection connection) {
    // By the transaction: one writer at a time.
  }

  @Override
  public void unlockSchema(Connection connection) {
    // With the transaction.
  }

  @Override
  public boolean retryable(SQLException failure) {
    return false; // it has waited for its turn
  }

  @Override
  public boolean concernsRow(SQLException failure) {
    return false; // who writes keeps the whole file from others
  }

  @Override
  public List<String> risks(Connection connection) {
    return List.of();
  }

  @Override
  public String now() {
    return "CAST(round(unixepoch('subsec') * 1000) AS INTEGER)";
  }

  @Override
  public long nowMillis(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet now = statement.executeQuery("SELECT " + now())) {
      now.next();
      return now.getLong(1);
    }
  }

  @Override
  public void verify() {
    Object now = keyNow();
    if (!fileKey.equals(now)) {
      String what = now == null ? "was deleted" : "was replaced by another file";
      throw StoreException.refused(
          "sqlite: "
              + file
              + ": "
              + what
              + " (expected: the file that was opened; restart to use what is there now, and if it"
              + " is an older copy run `idgen fence`)");
    }
  }

  /** Null: there is no such file. */
  private @Nullable Object keyNow() {
    try {
      BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
      Object key = found.fileKey();
      return key == null ? found.creationTime() : key;
    } catch (IOException e) {
      return null; // deleted, or out of reach: both mean that it is not there for us
    }
  }

  @Override
  public String explain(SQLException failure) {
    String what =
        switch (primary(failure)) {
          case BUSY, LOCKED ->
              "locked by another process for "
                  + BUSY_TIMEOUT_MS
                  + " ms (expected: free within that time)";
          case READONLY ->
              "read-only (expected: a file, and a folder, that this process may write)";
          case IOERR -> "disk error, " + failure.getMessage() + " (expected: a disk that works)";
          case CORRUPT ->
              "damaged (expected: an intact database: put a backup in its place, then run `idgen"
                  + " fence`)";
          case FULL -> "disk full (expected: free space)";
          case CANTOPEN ->
              "cannot be opened (expected: a file, and a folder, that this process may write)";
          case NOTADB -> "not a SQLite database (expected: one, or no file)";
          default -> failure.getMessage() + " (expected: no error)";
        };
    return "sqlite: " + file + ": " + what;
  }

  @Override
  public boolean permanent(SQLException failure) {
    return false; // whoever may mend a folder or a disk need not start the process again
  }

  @Override
  public boolean fatal(SQLException failure) {
    int code = primary(failure);
    boolean doubtful = code == IOERR && FATAL_IOERR.contains(extended(failure));
    return doubtful || code == CORRUPT || code == NOTADB;
  }

  /** The driver's own exceptions carry it apart, and only the primary code as the vendor's. */
  private static int extended(SQLException failure) {
    return failure instanceof SQLiteException known
        ? known.getResultCode().code
        : failure.getErrorCode();
  }

  private static int primary(SQLException failure) {
    return failure.getErrorCode() & 0xff;
  }

  @Override
  public void hold(String owner) throws IOException {
    owners.hold(owner);
  }

  @Override
  public boolean ended(String owner) throws IOException {
    return owners.ended(owner);
  }

  @Override
  public void sweep(Collection<String> mentioned) throws IOException {
    owners.sweep(mentioned);
  }

  @Override
  public void close() throws IOException {
    owners.close();
  }
}
