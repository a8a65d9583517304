package dev.idgen.check.servers;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A PostgreSQL server whose commits are durable. Thread-safe. */
public final class PostgresServer implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long AGAIN_NANOS = 20_000_000;

  private final EmbeddedPostgres server;
  private final AtomicInteger databases = new AtomicInteger();
  private @Nullable PostgresReplica restarted; // runs on the same files, after a stop

  private PostgresServer(EmbeddedPostgres server) {
    this.server = server;
  }

  /** Starts one. Takes a second or two. */
  public static PostgresServer start() {
    try {
      return new PostgresServer(
          EmbeddedPostgres.builder()
              .setServerConfig("fsync", "on")
              .setServerConfig("synchronous_commit", "on")
              .setServerConfig("full_page_writes", "on")
              .setServerConfig("max_connections", "100")
              .setServerConfig("hba_file", accessRules().toString())
              .setPGStartupWait(PATIENCE)
              .start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Its administrator may come in as he is, everybody else needs a password. */
  private static Path accessRules() throws IOException {
    Path rules = Files.createTempFile("idgen-pg-hba", ".conf");
    rules.toFile().deleteOnExit();
    return Files.writeString(
        rules,
        """
        local all all trust
        host all postgres 127.0.0.1/32 trust
        host all postgres ::1/128 trust
        host replication postgres 127.0.0.1/32 trust
        host all all 127.0.0.1/32 scram-sha-256
        """);
  }

  /** The port on loopback. */
  public int port() {
    return server.getPort();
  }

  /** Makes an empty database, and gives its name. */
  public String freshDatabase() {
    String name = "t" + databases.incrementAndGet();
    execute("postgres", "CREATE DATABASE " + name);
    return name;
  }

  /** Makes an empty schema in the database {@code postgres}, and gives its name: much faster. */
  public String freshSchema() {
    String name = "s" + databases.incrementAndGet();
    execute("postgres", "CREATE SCHEMA " + name);
    return name;
  }

  /** The address of a schema of the database {@code postgres}, as its administrator. */
  public String schemaUrl(String schema) {
    return url("postgres") + "?currentSchema=" + schema;
  }

  /** The address of a database, as its administrator. */
  public String url(String database) {
    return url("postgres", "postgres", database);
  }

  /** The address of a database, as somebody. */
  public String url(String user, String password, String database) {
    return "postgres://" + user + ":" + password + "@127.0.0.1:" + port() + "/" + database;
  }

  /** Runs statements in a database, as its administrator. */
  public void execute(String database, String... statements) {
    try (Connection connection = server.getDatabase("postgres", database).getConnection();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(String.join("; ", statements), e);
    }
  }

  /** Ends it as a power cut would; {@link #close} clears away what it wrote. */
  public void kill() {
    Path pidFile = Path.of(query("SHOW data_directory"), "postmaster.pid");
    try {
      long pid = Long.parseLong(Files.readAllLines(pidFile).get(0));
      PostgresReplica.killTree(
          ProcessHandle.of(pid).orElseThrow(() -> new IllegalStateException("ended: " + pid)));
      Files.delete(pidFile); // closing would signal whoever has that number by then
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Ends it as a power cut would; {@link #startAgain} goes on with what it had written. What it was
   * started with is remembered.
   */
  public void stop() {
    restarted = PostgresReplica.sameFiles(this);
    kill();
  }

  /** Starts it, after {@link #stop}, at the same port. */
  public void startAgain() {
    Objects.requireNonNull(restarted, "not stopped").restore();
  }

  /**
   * Ends a process that serves a connection as kill -9 would: the server then ends all of them,
   * recovers from its log as after a power cut, and answers again when this returns.
   */
  public void crash() {
    try (Connection victim = connect();
        Connection witness = connect()) {
      long pid = Long.parseLong(PostgresReplica.oneText(victim, "SELECT pg_backend_pid()"));
      if (!ProcessHandle.of(pid).map(ProcessHandle::destroyForcibly).orElse(false)) {
        throw new IllegalStateException("cannot be ended: " + pid);
      }
      await(() -> !witness.isValid(1), "the end of all connections");
      await(this::answers, "an answer");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private boolean answers() {
    try (Connection connection = connect()) {
      return connection.isValid(1);
    } catch (SQLException e) {
      return false; // it recovers still
    }
  }

  private interface Condition {
    boolean holds() throws SQLException;
  }

  private static void await(Condition condition, String expected) throws SQLException {
    for (long waited = 0; waited < PATIENCE.toMillis(); waited += AGAIN_NANOS / 1_000_000) {
      if (condition.holds()) {
        return;
      }
      LockSupport.parkNanos(AGAIN_NANOS);
    }
    throw new IllegalStateException("waited in vain (expected: " + expected + ")");
  }

  /** What a query of one text answers, in the database {@code postgres}, as its administrator. */
  String query(String sql) {
    try (Connection connection = connect()) {
      return PostgresReplica.oneText(connection, sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  /**
   * Begins a transaction as its administrator.
   *
   * @return keeps it open, with its locks, until it is closed
   */
  public AutoCloseable hold(String database, String sql) {
    try {
      Connection connection = server.getDatabase("postgres", database).getConnection();
      connection.setAutoCommit(false);
      try (Statement statement = connection.createStatement()) {
        statement.execute(sql);
      }
      return connection;
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  /** A connection to the database {@code postgres}, as its administrator. */
  Connection connect() throws SQLException {
    return server.getPostgresDatabase().getConnection();
  }

  @Override
  public void close() {
    if (restarted != null) {
      kill();
      restarted.close();
    }
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
