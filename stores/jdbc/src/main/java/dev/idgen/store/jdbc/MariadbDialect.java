package dev.idgen.store.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.mariadb.jdbc.Driver;

/**
 * MariaDB and MySQL, over one driver. The identity is made with the tables, and has the server's
 * own or that of its Galera cluster.
 */
class MariadbDialect extends ServerDialect {
  private static final String NOW = "CAST(FLOOR(UNIX_TIMESTAMP(NOW(3)) * 1000) AS SIGNED)";
  private static final String TABLE =
      "SELECT COUNT(*) FROM information_schema.tables"
          + " WHERE table_schema = DATABASE() AND table_name = 'idgen_meta'";
  private static final String IDENTITY_NAMES =
      "SHOW GLOBAL VARIABLES WHERE Variable_name IN" + " ('server_uuid', 'server_uid')";
  private static final String GALERA = "SHOW GLOBAL STATUS LIKE 'wsrep_cluster_state_uuid'";

  private static final Pattern CLUSTER_ID = Pattern.compile("[0-9a-f-]{36}");

  /**
   * Deadlock, which a Galera cluster also says of a commit that it has rolled back; a group of
   * MySQL that has done so; a row that somebody else has just made, or changed.
   */
  private static final Set<Integer> RETRYABLE = Set.of(1213, 3101, 1062, 1020);

  /** The wait for a row was too long. */
  private static final int LOCKED = 1205;

  /** Password, account, database, grants, table. */
  private static final Set<Integer> PERMANENT =
      Set.of(1045, 1698, 1049, 1044, 1142, 1143, 1227, 1146);

  /** What a session keeps of its server's own identity, which stays as long as the session. */
  private static final String IDENTITY = "CONCAT_WS('/', identity, @idgen_server)";

  /** A row is waited for in whole seconds. */
  private static final int SECOND_MS = 1000;

  private final String kind;

  /**
   * A dialect.
   *
   * @param kind {@code mariadb} or {@code mysql}
   */
  MariadbDialect(DatabaseUrl url, String kind, Patience patience) {
    super(url, patience);
    this.kind = kind;
  }

  @Override
  public String kind() {
    return kind;
  }

  @Override
  public String scripts() {
    return "mariadb";
  }

  private static final int UNKNOWN_VARIABLE = 1193;

  /** More than the time between two renewals of a lease. */
  private static final int MYSQL_IDLE_SECONDS = 30;

  @Override
  Connection open(DatabaseUrl url) throws SQLException {
    Connection connection =
        new Driver()
            .connect(
                "jdbc:mariadb://" + url.hosts() + "/" + url.database(),
                url.properties(limits("connectTimeout", "socketTimeout", answerMs(), 1)));
    if (connection == null) {
      throw new SQLException("the driver does not take the address", "08001");
    }
    return connection;
  }

  private long lockSeconds() {
    return Math.max(1, patience.lockMs() / SECOND_MS);
  }

  /** More than for a row. */
  private long answerMs() {
    return Math.max(patience.answerMs(), lockSeconds() * SECOND_MS + SECOND_MS / 2);
  }

  @Override
  void prepare(Statement statement) throws SQLException {
    statement.execute("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED");
    statement.execute("SET SESSION time_zone = '+00:00'"); // no hour of the clock comes twice
    statement.execute("SET SESSION innodb_lock_wait_timeout = " + lockSeconds());
    statement.execute("SET NAMES utf8mb4");
    endIdleTransactions(statement);
    keepIdentity(statement);
  }

  /** Who sleeps in the middle of a transaction must not keep its rows from the others. */
  private void endIdleTransactions(Statement statement) throws SQLException {
    long seconds = (patience.idleMs() + SECOND_MS - 1) / SECOND_MS;
    try {
      statement.execute("SET SESSION idle_transaction_timeout = " + seconds);
    } catch (SQLException e) {
      if (e.getErrorCode() != UNKNOWN_VARIABLE) {
        throw e;
      }
      // MySQL has none for transactions alone; a session that it ends is made again.
      statement.execute("SET SESSION wait_timeout = " + Math.max(MYSQL_IDLE_SECONDS, seconds));
    }
  }

  @Override
  public String beginWriting() {
    return "START TRANSACTION";
  }

  @Override
  public String beginReading() {
    return "START TRANSACTION READ ONLY";
  }

  @Override
  public String now() {
    return NOW;
  }

  @Override
  public String identity() {
    return IDENTITY;
  }

  private static void keepIdentity(Statement statement) throws SQLException {
    String server = serverOf(statement.getConnection());
    statement.execute("SET @idgen_server = CONCAT_WS('/', " + server + ")");
  }

  /** What tells this server from every other one that may take its place. */
  private static String serverOf(Connection connection) throws SQLException {
    String cluster = named(connection, GALERA, "wsrep_cluster_state_uuid");
    if (CLUSTER_ID.matcher(cluster).matches()) {
      return "'" + cluster + "'"; // all nodes of a Galera cluster hold the same writes
    }
    if (!named(connection, IDENTITY_NAMES, "server_uuid").isEmpty()) {
      return "@@server_uuid";
    }
    boolean hasUid = !named(connection, IDENTITY_NAMES, "server_uid").isEmpty();
    // Not every MariaDB has an id of its own; a server and its replica differ in these.
    return (hasUid ? "@@server_uid, " : "") + "@@server_id, @@hostname, @@port";
  }

  private static String named(Connection connection, String show, String name) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(show)) {
      while (row.next()) {
        if (row.getString(1).equalsIgnoreCase(name)) {
          return String.valueOf(row.getString(2)).strip();
        }
      }
      return "";
    }
  }

  @Override
  public boolean hasTables(Connection connection) throws SQLException {
    return oneLong(connection, TABLE) == 1;
  }

  @Override
  public void lockSchema(Connection connection) throws SQLException {
    if (oneLong(connection, "SELECT GET_LOCK('idgen-schema', 1)") != 1) {
      throw new SQLException("another process changes the tables", "40001");
    }
  }

  @Override
  public void unlockSchema(Connection connection) throws SQLException {
    oneLong(connection, "SELECT RELEASE_LOCK('idgen-schema')");
  }

  @Override
  public boolean retryable(SQLException failure) {
    return RETRYABLE.contains(failure.getErrorCode());
  }

  @Override
  public boolean concernsRow(SQLException failure) {
    return retryable(failure) || failure.getErrorCode() == LOCKED;
  }

  @Override
  public boolean permanent(SQLException failure) {
    return PERMANENT.contains(failure.getErrorCode()) || withoutKey(failure);
  }

  @Override
  public List<String> risks(Connection connection) throws SQLException {
    List<String> risks = new ArrayList<>();
    String flush = setting(connection, "innodb_flush_log_at_trx_commit");
    if (!flush.equals("1")) {
      risks.add(
          "innodb_flush_log_at_trx_commit is "
              + flush
              + ": a power cut may lose writes (expected: 1)");
    }
    if (setting(connection, "log_bin").equals("ON")) {
      String sync = setting(connection, "sync_binlog");
      if (!sync.equals("1")) {
        risks.add("sync_binlog is " + sync + ": a failover may lose writes (expected: 1)");
      }
      if (!waitsForReplicas(connection)) {
        risks.addAll(lateReplicas(connection));
      }
    }
    return risks;
  }

  /** By semi-synchronous replication that has not given up, or as a node of a cluster. */
  private static boolean waitsForReplicas(Connection connection) throws SQLException {
    return status(connection, "Rpl_semi_sync_master_status").equals("ON")
        || status(connection, "Rpl_semi_sync_source_status").equals("ON")
        || !setting(connection, "group_replication_group_name").isEmpty()
        || CLUSTER_ID.matcher(named(connection, GALERA, "wsrep_cluster_state_uuid")).matches();
  }

  /** MariaDB counts its replicas for everybody, MySQL for nobody without further rights. */
  private static List<String> lateReplicas(Connection connection) throws SQLException {
    String connected = status(connection, "Slaves_connected");
    if (connected.equals("0")) {
      return List.of();
    }
    String which = connected.isEmpty() ? "replicas, if there are any," : "replicas";
    return List.of(
        which
            + " acknowledge after the commit: a failover may lose writes (expected:"
            + " semi-synchronous replication, or a cluster)");
  }

  private static String status(Connection connection, String name) throws SQLException {
    return named(connection, "SHOW GLOBAL STATUS LIKE '" + name + "'", name);
  }

  private static String setting(Connection connection, String name) throws SQLException {
    return named(connection, "SHOW GLOBAL VARIABLES LIKE '" + name + "'", name);
  }

  @Override
  public String explain(SQLException failure) {
    return explained(what(failure));
  }

  /** What the driver says where MySQL wants a password encrypted, and its key is not known. */
  private static boolean withoutKey(SQLException failure) {
    return String.valueOf(failure.getMessage()).contains("RSA public key is not available");
  }

  private String what(SQLException failure) {
    if (withoutKey(failure)) {
      return "the password is sent to nobody unknown (expected: sslMode=verify-full, or"
          + " serverRsaPublicKeyFile=<file>, or in a trusted network allowPublicKeyRetrieval=true"
          + " behind the address)";
    }
    return switch (failure.getErrorCode()) {
      case 1045, 1698 -> "user or password refused (expected: an account that may connect)";
      case 1049 -> "no such database (expected: one that was created)";
      case 1044 -> // the server does not say which of the two to those who may not know
          firstLine(failure)
              + ", or no such database (expected: one that was created, and the grants of the"
              + " documentation)";
      case 1142, 1143, 1227 -> firstLine(failure) + " (expected: the grants of the documentation)";
      case 1146 -> firstLine(failure) + " (expected: the tables of the schema scripts)";
      case LOCKED ->
          "row locked by another process for "
              + lockSeconds()
              + " s (expected: free within that time)";
      case 1290, 1836 -> "read-only (expected: the primary)";
      case 1040, 1203 -> "too many connections (expected: room for one more)";
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
    return message.lines().findFirst().orElse(message).replaceFirst("^\\(conn=\\d+\\) ", "");
  }
}
