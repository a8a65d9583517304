package dev.idgen.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.postgresql.Driver;

/**
 * PostgreSQL. Its identity is made with the tables, and has the system identifier and the timeline,
 * which a promotion or a restore to a point in time changes.
 */
class PostgresDialect extends ServerDialect {
  private static final String IDENTITY =
      "identity || '/' || (SELECT system_identifier FROM pg_control_system()) || '/'"
          + " || left(pg_walfile_name(pg_current_wal_lsn()), 8)";
  private static final String NOW =
      "CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS bigint)";
  private static final String TABLE =
      "SELECT CASE WHEN to_regclass('idgen_meta') IS NULL THEN 0 ELSE 1 END";

  /** Serialization, deadlock, a row or a table that somebody else has just made. */
  private static final Set<String> RETRYABLE = Set.of("40001", "40P01", "23505", "42P07");

  /** The wait for a row was too long. */
  private static final String LOCKED = "55P03";

  /**
   * Password, account, database, grant, a table that is missing, or that is there again and again.
   */
  private static final Set<String> PERMANENT =
      Set.of("28P01", "28000", "3D000", "42501", "42P01", "42P07");

  /** Any number that no other program uses for an advisory lock. */
  private static final long SCHEMA_LOCK = 0x69646765_6e736368L;

  PostgresDialect(DatabaseUrl url, Patience patience) {
    super(url, patience);
  }

  @Override
  public String kind() {
    return "postgres";
  }

  @Override
  Connection open(DatabaseUrl url) throws SQLException {
    Connection connection =
        new Driver()
            .connect(
                "jdbc:postgresql://" + url.hosts() + "/" + url.database(),
                url.properties(
                    limits("connectTimeout", "socketTimeout", patience.answerMs(), 1000)));
    if (connection == null) {
      throw new SQLException("the driver does not take the address", "08001");
    }
    return connection;
  }

  @Override
  void prepare(Statement statement) throws SQLException {
    statement.execute("SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED");
    statement.execute("SET TIME ZONE 'UTC'"); // times of day mean the same whoever writes them
    statement.execute("SET lock_timeout = " + patience.lockMs());
    // Who sleeps in the middle of a transaction must not keep its rows from the others.
    statement.execute("SET idle_in_transaction_session_timeout = " + patience.idleMs());
    // A commit that was answered must be on disk, whatever the database has been told.
    statement.execute(
        "SELECT set_config('synchronous_commit', 'on', false)"
            + " WHERE current_setting('synchronous_commit') IN ('off', 'local')");
  }

  @Override
  public String beginWriting() {
    return "BEGIN";
  }

  @Override
  public String beginReading() {
    return "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
  }

  @Override
  public String now() {
    return NOW;
  }

  @Override
  public String identity() {
    return IDENTITY;
  }

  @Override
  public boolean hasTables(Connection connection) throws SQLException {
    return oneLong(connection, TABLE) == 1;
  }

  @Override
  public void lockSchema(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SELECT pg_advisory_xact_lock(" + SCHEMA_LOCK + ")");
    }
  }

  @Override
  public void unlockSchema(Connection connection) {
    // With the transaction.
  }

  /**
   * A table that exists after all, too: within a transaction the server may go on believing that
   * there is none, although whoever held the lock before has made it. The next attempt sees it.
   */
  @Override
  public boolean retryable(SQLException failure) {
    return RETRYABLE.contains(String.valueOf(failure.getSQLState()));
  }

  @Override
  public boolean concernsRow(SQLException failure) {
    return retryable(failure) || LOCKED.equals(failure.getSQLState());
  }

  @Override
  public boolean permanent(SQLException failure) {
    return PERMANENT.contains(String.valueOf(failure.getSQLState()));
  }

  @Override
  public List<String> risks(Connection connection) throws SQLException {
    List<String> risks = new ArrayList<>();
    if (oneText(connection, "SHOW fsync").equals("off")) {
      risks.add("fsync is off: a power cut may lose writes (expected: on)");
    }
    if (oneText(connection, "SHOW full_page_writes").equals("off")) {
      risks.add("full_page_writes is off: a power cut may damage pages (expected: on)");
    }
    boolean waits = !oneText(connection, "SHOW synchronous_standby_names").isEmpty();
    if (!waits && oneLong(connection, "SELECT count(*) FROM pg_stat_replication") > 0) {
      risks.add(
          "replicas acknowledge after the commit: a failover may lose writes (expected:"
              + " synchronous_standby_names)");
    }
    return risks;
  }

  @Override
  public String explain(SQLException failure) {
    return explained(what(failure, String.valueOf(failure.getSQLState())));
  }

  private String what(SQLException failure, String state) {
    return switch (state) {
      case "28P01", "28000" -> "user or password refused (expected: an account that may connect)";
      case "3D000" -> "no such database (expected: one that was created)";
      case "42501" -> firstLine(failure) + " (expected: the grants of the documentation)";
      case "42P01" -> firstLine(failure) + " (expected: the tables of the schema scripts)";
      case "42P07" -> firstLine(failure) + " (expected: a database or schema of its own)";
      case LOCKED ->
          "row locked by another process for "
              + patience.lockMs()
              + " ms (expected: free within that time)";
      case "25006", "55000" -> "a standby (expected: the primary)";
      case "53300" -> "too many connections (expected: room for one more)";
      default ->
          disconnected(failure)
              ? "no answer: "
                  + firstLine(failure)
                  + cause(failure)
                  + " (expected: a server that answers)"
              : firstLine(failure) + " (expected: no error)";
    };
  }

  private static String firstLine(SQLException failure) {
    String message = String.valueOf(failure.getMessage());
    return message.lines().findFirst().orElse(message).replaceFirst("^(FATAL|ERROR): ", "");
  }
}
