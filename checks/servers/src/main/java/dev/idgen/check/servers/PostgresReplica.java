package dev.idgen.check.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A copy of the files of a {@link PostgresServer}, made while that runs, and the server that is
 * started on it: a standby, which may be promoted, or a backup that is put in place. For one thread
 * at a time.
 */
public final class PostgresReplica implements AutoCloseable {
  private static final long PATIENCE_MS = 60_000;
  private static final long AGAIN_NANOS = 20_000_000;
  private static final String WAL = "pg_wal";

  /** What tells of the server that runs on the original. */
  private static final Set<String> NOT_COPIED = Set.of("postmaster.pid", "postmaster.opts");

  private final Path folder; // deleted with it
  private final Path data;
  private final Path programs;
  private final int port;
  private final List<String> settings;
  private @Nullable Process process;

  private PostgresReplica(Path folder, Path data, Path programs, int port, List<String> settings) {
    this.folder = folder;
    this.data = data;
    this.programs = programs;
    this.port = port;
    this.settings = settings;
  }

  /** Copies the files of a server that runs. Nothing runs on the copy yet. */
  public static PostgresReplica copyOf(PostgresServer server) {
    try (Connection connection = server.connect()) {
      Path folder = Files.createTempDirectory("idgen-postgres");
      Path original = Path.of(oneText(connection, "SHOW data_directory"));
      Path data =
          Files.createDirectory(
              folder.resolve("data"),
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      oneText(connection, "SELECT pg_backup_start('copy', true)");
      copy(original, data, file -> !file.startsWith(WAL));
      // One session begins and ends a backup; the log that the copy needs is written by its end.
      String label = oneText(connection, "SELECT labelfile FROM pg_backup_stop(false)");
      Files.writeString(data.resolve("backup_label"), label);
      copy(original, data, file -> file.startsWith(WAL));
      return new PostgresReplica(
          folder, data, programs(connection), freePort(), settings(connection));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The server that runs on the files of one that is ended, at its port. Nothing runs yet. */
  static PostgresReplica sameFiles(PostgresServer server) {
    try (Connection connection = server.connect()) {
      return new PostgresReplica(
          Files.createTempDirectory("idgen-postgres"),
          Path.of(oneText(connection, "SHOW data_directory")),
          programs(connection),
          server.port(),
          settings(connection));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Path programs(Connection connection) throws SQLException {
    return Path.of(oneText(connection, "SELECT setting FROM pg_config WHERE name = 'BINDIR'"));
  }

  private static List<String> settings(Connection connection) throws SQLException {
    return List.of(
        "hba_file=" + oneText(connection, "SHOW hba_file"),
        "max_connections=" + oneText(connection, "SHOW max_connections"),
        "listen_addresses=127.0.0.1",
        "unix_socket_directories=");
  }

  /** Which files of a server, by their path below its folder. */
  private interface Choice {
    boolean takes(Path file);
  }

  private static void copy(Path from, Path to, Choice choice) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes a)
              throws IOException {
            Files.createDirectories(to.resolve(from.relativize(directory)));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes a) throws IOException {
            Path name = from.relativize(file);
            if (choice.takes(name) && !NOT_COPIED.contains(name.toString())) {
              copyFile(file, to.resolve(name));
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE; // gone meanwhile, as the log will tell
            }
            throw e;
          }
        });
  }

  private static void copyFile(Path from, Path to) throws IOException {
    try {
      Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
    } catch (NoSuchFileException e) {
      Files.deleteIfExists(to); // gone meanwhile, as the log will tell
    }
  }

  /**
   * Starts it as a standby, and waits until it follows. Takes a second or two.
   *
   * @param primary the port of the server to follow, or of a network before it
   */
  public void follow(int primary) {
    try {
      Files.createFile(folder.resolve("data/standby.signal"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    launch("primary_conninfo=host=127.0.0.1 port=" + primary + " user=postgres");
    await(
        "SELECT EXISTS (SELECT FROM pg_stat_wal_receiver WHERE status = 'streaming')",
        "a standby that follows");
  }

  /** Starts it as who puts a backup in place does: as the server that was copied. */
  public void restore() {
    launch("primary_conninfo=");
  }

  private void launch(String following) {
    List<String> command = new ArrayList<>();
    if (System.getProperty("user.name").equals("root")) {
      command.addAll(List.of("unshare", "-U")); // its programs refuse root
    }
    command.add(programs.resolve("postgres").toString());
    command.addAll(List.of("-D", data.toString(), "-p", String.valueOf(port)));
    for (String setting : settings) {
      command.addAll(List.of("-c", setting));
    }
    command.addAll(List.of("-c", following));
    try {
      Process started =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()))
              .start();
      Runtime.getRuntime().addShutdownHook(new Thread(started::destroyForcibly));
      process = started;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    await("SELECT true", "an answer");
  }

  /** Waits until the standby has all that its primary has written so far. */
  public void awaitWritesOf(PostgresServer primary) {
    String written = primary.query("SELECT pg_current_wal_flush_lsn()");
    await("SELECT pg_last_wal_replay_lsn() >= '" + written + "'", written);
  }

  /** Makes the standby a primary, with what it has by now. */
  public void promote() {
    await("SELECT pg_promote(true, " + PATIENCE_MS / 1_000 + ")", "promotion");
  }

  private void await(String condition, String expected) {
    String last = "";
    for (long waited = 0; waited < PATIENCE_MS; waited += AGAIN_NANOS / 1_000_000) {
      if (process == null || !process.isAlive()) {
        throw new IllegalStateException("postgres ended: " + log());
      }
      try {
        last = query(condition);
        if (last.equals("t")) {
          return;
        }
      } catch (SQLException e) {
        last = e.toString();
      }
      LockSupport.parkNanos(AGAIN_NANOS);
    }
    throw new IllegalStateException(last + " (expected: " + expected + "): " + log());
  }

  private String log() {
    try {
      return Files.readString(folder.resolve("log"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** The port on loopback, from the start on. */
  public int port() {
    return port;
  }

  private String query(String sql) throws SQLException {
    String url = "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres";
    try (Connection connection = DriverManager.getConnection(url)) {
      return oneText(connection, sql);
    }
  }

  static String oneText(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }

  /** Ends it as a power cut would. */
  public void kill() {
    if (process != null) {
      killTree(process.toHandle());
    }
  }

  /** Ends a process and those that it has started. */
  static void killTree(ProcessHandle parent) {
    List<ProcessHandle> all = new ArrayList<>(parent.descendants().toList());
    all.add(0, parent);
    all.forEach(ProcessHandle::destroyForcibly);
    for (long waited = 0; waited < PATIENCE_MS; waited += AGAIN_NANOS / 1_000_000) {
      if (all.stream().noneMatch(ProcessHandle::isAlive)) {
        return;
      }
      LockSupport.parkNanos(AGAIN_NANOS);
    }
    throw new IllegalStateException("still runs: " + all);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Override
  public void close() {
    kill();
    try (var paths = Files.walk(folder)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
