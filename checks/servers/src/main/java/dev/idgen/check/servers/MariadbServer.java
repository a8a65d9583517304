package dev.idgen.check.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A MariaDB server, of the programs that this machine has ({@code mariadbd}). Its folder can
 * outlive a kill: {@link #restart} goes on with it.
 */
public final class MariadbServer implements AutoCloseable {
  private static final int FREEZE_LOOKS = 10_000;
  private static final long FREEZE_LOOK_NANOS = 1_000_000;

  private static final long PATIENCE_MS = 60_000;
  private static final long AGAIN_NANOS = 50_000_000;

  private final Path folder;
  private final int port;
  private final List<String> options;
  private final AtomicInteger databases = new AtomicInteger();
  private Process process;

  private MariadbServer(Path folder, int port, List<String> options) throws IOException {
    this.folder = folder;
    this.port = port;
    this.options = options;
    this.process = launch();
  }

  /**
   * Starts one in an empty folder of its own. Takes a second or two.
   *
   * @param options of the server, beside its usual ones
   */
  public static MariadbServer start(String... options) {
    try {
      Path folder = Files.createTempDirectory("idgen-mariadb");
      run(
          folder,
          "mariadb-install-db",
          "--no-defaults",
          "--user=" + System.getProperty("user.name"),
          "--datadir=" + folder.resolve("data"),
          "--auth-root-authentication-method=normal",
          "--skip-test-db");
      int port = freePort();
      MariadbServer server = new MariadbServer(folder, port, List.of(options));
      server.awaitUp();
      server.execute(
          "mysql",
          "CREATE USER admin@'127.0.0.1' IDENTIFIED BY 'admin'",
          "GRANT ALL ON *.* TO admin@'127.0.0.1' WITH GRANT OPTION");
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Process launch() throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                program("mariadbd"),
                "--no-defaults",
                "--user=" + System.getProperty("user.name"),
                "--datadir=" + folder.resolve("data"),
                "--socket=" + folder.resolve("socket"),
                "--pid-file=" + folder.resolve("pid"),
                "--bind-address=127.0.0.1",
                "--port=" + port,
                "--server-id=" + port,
                "--innodb-buffer-pool-size=32M",
                "--innodb-log-file-size=16M",
                "--skip-name-resolve"));
    command.addAll(options);
    Process launched =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()))
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(launched::destroyForcibly));
    return launched;
  }

  private void awaitUp() {
    for (long waited = 0; waited < PATIENCE_MS; waited += AGAIN_NANOS / 1_000_000) {
      if (!process.isAlive()) {
        throw new IllegalStateException("mariadbd ended: " + log());
      }
      if (sql("mysql", "SELECT 1") == 0) {
        return;
      }
      LockSupport.parkNanos(AGAIN_NANOS);
    }
    throw new IllegalStateException("mariadbd does not answer: " + log());
  }

  private String log() {
    try {
      return Files.readString(folder.resolve("log"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** The port on loopback. */
  public int port() {
    return port;
  }

  /** Makes an empty database, and gives its name. */
  public String freshDatabase() {
    String name = "t" + databases.incrementAndGet();
    execute("mysql", "CREATE DATABASE " + name);
    return name;
  }

  /** The address of a database, as its administrator. */
  public String url(String database) {
    return url("admin", "admin", database);
  }

  /** The address of a database, as somebody. */
  public String url(String user, String password, String database) {
    return "mariadb://" + user + ":" + password + "@127.0.0.1:" + port + "/" + database;
  }

  /** Runs statements in a database, as its administrator. */
  public void execute(String database, String... statements) {
    for (String statement : statements) {
      if (sql(database, statement) != 0) {
        throw new IllegalStateException(statement + ": " + log());
      }
    }
  }

  private int sql(String database, String statement) {
    try {
      Process client =
          new ProcessBuilder(
                  program("mariadb"),
                  "--no-defaults",
                  "--socket=" + folder.resolve("socket"),
                  "--user=root",
                  "--execute=" + statement,
                  database)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()))
              .start();
      return ended(client);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends it as a power cut would, and starts it again on what it had written. */
  public void restart() {
    kill();
    startAgain();
  }

  /** Ends it as a power cut would. */
  public void kill() {
    process.destroyForcibly();
    ended(process);
  }

  /** Starts it, after {@link #kill}, on what it had written, at the same port. */
  public void startAgain() {
    try {
      process = launch();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    awaitUp();
  }

  /** Receives from then on what another server writes, as an asynchronous replica does. */
  public void receiveFrom(MariadbServer primary) {
    execute(
        "mysql",
        "CHANGE MASTER TO MASTER_HOST = '127.0.0.1', MASTER_PORT = "
            + primary.port
            + ", MASTER_USER = 'admin', MASTER_PASSWORD = 'admin'",
        "START SLAVE IO_THREAD");
    for (long waited = 0; waited < PATIENCE_MS; waited += AGAIN_NANOS / 1_000_000) {
      if (primary.hasReplica()) {
        return;
      }
      LockSupport.parkNanos(AGAIN_NANOS);
    }
    throw new IllegalStateException("no replica: " + log());
  }

  private boolean hasReplica() {
    String answer = query("SHOW GLOBAL STATUS LIKE 'Slaves_connected'");
    return answer.endsWith("\t1");
  }

  /** The rows of a query, with tabs between the columns. */
  private String query(String sql) {
    try {
      Process client =
          new ProcessBuilder(
                  program("mariadb"),
                  "--no-defaults",
                  "--socket=" + folder.resolve("socket"),
                  "--user=root",
                  "--skip-column-names",
                  "--batch",
                  "--execute=" + sql)
              .redirectError(ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()))
              .start();
      String rows = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      ended(client);
      return rows.strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Stops it in the midst of what it does: connections stay, and nothing is answered. */
  public void freeze() {
    signal("STOP");
    for (int i = 0; i < FREEZE_LOOKS && !stands(); i++) {
      LockSupport.parkNanos(FREEZE_LOOK_NANOS);
    }
    if (!stands()) {
      throw new IllegalStateException("mariadbd: still runs (expected: stopped)");
    }
  }

  /** One thread hears of the signal first; until it has, others may still answer. */
  private boolean stands() {
    try (Stream<Path> threads = Files.list(Path.of("/proc", process.pid() + "", "task"))) {
      return threads.allMatch(MariadbServer::stands);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean stands(Path thread) {
    try {
      String stat = Files.readString(thread.resolve("stat"));
      return stat.charAt(stat.lastIndexOf(')') + 2) == 'T';
    } catch (IOException e) {
      return true; // it has ended
    }
  }

  /** Lets it go on, after {@link #freeze}. */
  public void thaw() {
    signal("CONT");
  }

  private void signal(String name) {
    try {
      ended(new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int ended(Process process) {
    try {
      if (!process.waitFor(PATIENCE_MS, TimeUnit.MILLISECONDS)) {
        throw new IllegalStateException("still runs: " + process.info());
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static void run(Path folder, String program, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(program(program)));
    command.addAll(List.of(arguments));
    Path log = folder.resolve("log");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    if (ended(process) != 0) {
      throw new IllegalStateException(
          program.toUpperCase(Locale.ROOT) + ": " + Files.readString(log));
    }
  }

  /** Servers are often outside the path of people who are not root. */
  private static String program(String name) {
    for (String folder : List.of("/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin")) {
      Path candidate = Path.of(folder, name);
      if (Files.isExecutable(candidate)) {
        return candidate.toString();
      }
    }
    return name;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Override
  public void close() {
    kill();
    deleteAll();
  }

  private void deleteAll() {
    try (var paths = Files.walk(folder)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
