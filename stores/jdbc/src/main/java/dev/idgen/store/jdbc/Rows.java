package dev.idgen.store.jdbc;

import dev.idgen.store.NamespaceRow;
import dev.idgen.store.StoreException;
import dev.idgen.store.StoreOperation;
import dev.idgen.store.WorkerRow;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes rows, in SQL that every dialect understands. A write is made on the condition
 * that the row is still as it was read.
 */
final class Rows {
  private static final String NAMESPACE =
      "SELECT layout, identity, fence, floor_ms, reach_ms, created_ms"
          + " FROM idgen_namespace WHERE namespace = ?";
  private static final String INSERT_NAMESPACE =
      "INSERT INTO idgen_namespace"
          + " (layout, identity, fence, floor_ms, reach_ms, created_ms, namespace)"
          + " VALUES (?, ?, ?, ?, ?, ?, ?)";
  private static final String UPDATE_NAMESPACE =
      "UPDATE idgen_namespace SET layout = ?, identity = ?, fence = ?, floor_ms = ?, reach_ms = ?,"
          + " created_ms = ? WHERE namespace = ?"
          + " AND identity = ? AND fence = ? AND floor_ms = ? AND reach_ms = ?";
  private static final String WORKERS =
      "SELECT owner, generation, token, nonce, from_ms, horizon_ms, identity, fence, updated_ms,"
          + " worker_id FROM idgen_worker WHERE namespace = ?";
  private static final String ONE_WORKER = " AND worker_id = ?";
  private static final String ORDER = " ORDER BY worker_id";
  private static final String INSERT_WORKER =
      "INSERT INTO idgen_worker (owner, generation, token, nonce, from_ms, horizon_ms, identity,"
          + " fence, updated_ms, namespace, worker_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
  private static final String UPDATE_WORKER =
      "UPDATE idgen_worker SET owner = ?, generation = ?, token = ?, nonce = ?, from_ms = ?,"
          + " horizon_ms = ?, identity = ?, fence = ?, updated_ms = ?"
          + " WHERE namespace = ? AND worker_id = ?"
          + " AND (owner = ? OR owner IS NULL AND ? IS NULL) AND generation = ? AND token = ?"
          + " AND nonce = ? AND from_ms = ? AND horizon_ms = ? AND identity = ? AND fence = ?";

  private Rows() {}

  /** Fails where the tables of worker ids are missing, or may not be written. */
  static void verify(Connection connection) throws SQLException {
    for (String table : List.of("idgen_namespace", "idgen_worker")) {
      Grants.requireWrite(connection, table, "fence");
    }
  }

  /** Which database answers. */
  static String identity(Connection connection, Dialect dialect) throws SQLException {
    try (PreparedStatement select =
            connection.prepareStatement(
                "SELECT " + dialect.identity() + " FROM idgen_meta WHERE id = 1");
        ResultSet row = select.executeQuery()) {
      if (!row.next()) {
        throw StoreException.refused("idgen_meta: no row (expected: the database's identity)");
      }
      return row.getString(1);
    }
  }

  /**
   * The row of a namespace.
   *
   * @param lock what the query ends with
   */
  static @Nullable NamespaceRow namespace(Connection connection, String namespace, String lock)
      throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(NAMESPACE + lock)) {
      select.setString(1, namespace);
      try (ResultSet row = select.executeQuery()) {
        if (!row.next()) {
          return null;
        }
        return new NamespaceRow(
            row.getString(1),
            row.getString(2),
            row.getLong(3),
            row.getLong(4),
            row.getLong(5),
            row.getLong(6));
      }
    }
  }

  /**
   * Rows of worker ids, in their order.
   *
   * @param workerId as in {@link StoreOperation#workerId}
   */
  static List<WorkerRow> workers(Connection connection, String namespace, int workerId)
      throws SQLException {
    if (workerId == StoreOperation.NO_ROWS) {
      return List.of();
    }
    boolean one = workerId != StoreOperation.ALL_ROWS;
    try (PreparedStatement select =
        connection.prepareStatement(WORKERS + (one ? ONE_WORKER : ORDER))) {
      select.setString(1, namespace);
      if (one) {
        select.setInt(2, workerId);
      }
      try (ResultSet row = select.executeQuery()) {
        List<WorkerRow> workers = new ArrayList<>();
        while (row.next()) {
          workers.add(worker(row));
        }
        return workers;
      }
    }
  }

  private static WorkerRow worker(ResultSet row) throws SQLException {
    return new WorkerRow(
        row.getInt(10),
        row.getString(1),
        row.getLong(2),
        row.getLong(3),
        row.getLong(4),
        row.getLong(5),
        row.getLong(6),
        row.getString(7),
        row.getLong(8),
        row.getLong(9));
  }

  /** Every owner that a row of any namespace mentions. */
  static List<String> owners(Connection connection) throws SQLException {
    try (PreparedStatement select =
            connection.prepareStatement(
                "SELECT DISTINCT owner FROM idgen_worker WHERE owner IS NOT NULL");
        ResultSet row = select.executeQuery()) {
      List<String> owners = new ArrayList<>();
      while (row.next()) {
        owners.add(row.getString(1));
      }
      return owners;
    }
  }

  static void write(
      Connection connection, String namespace, @Nullable NamespaceRow read, NamespaceRow next)
      throws SQLException {
    try (PreparedStatement write =
        connection.prepareStatement(read == null ? INSERT_NAMESPACE : UPDATE_NAMESPACE)) {
      write.setString(1, next.layout());
      write.setString(2, next.identity());
      write.setLong(3, next.fence());
      write.setLong(4, next.floorMillis());
      write.setLong(5, next.reachMs());
      write.setLong(6, next.createdAtMillis());
      write.setString(7, namespace);
      if (read != null) {
        write.setString(8, read.identity());
        write.setLong(9, read.fence());
        write.setLong(10, read.floorMillis());
        write.setLong(11, read.reachMs());
      }
      requireOne(write.executeUpdate(), "namespace " + namespace);
    }
  }

  static void write(
      Connection connection, String namespace, @Nullable WorkerRow read, WorkerRow next)
      throws SQLException {
    try (PreparedStatement write =
        connection.prepareStatement(read == null ? INSERT_WORKER : UPDATE_WORKER)) {
      write.setString(1, next.owner());
      write.setLong(2, next.generation());
      write.setLong(3, next.token());
      write.setLong(4, next.nonce());
      write.setLong(5, next.fromMillis());
      write.setLong(6, next.horizonMillis());
      write.setString(7, next.identity());
      write.setLong(8, next.fence());
      write.setLong(9, next.updatedAtMillis());
      write.setString(10, namespace);
      write.setInt(11, next.workerId());
      if (read != null) {
        condition(write, read);
      }
      requireOne(write.executeUpdate(), "workerId " + next.workerId());
    }
  }

  private static void condition(PreparedStatement write, WorkerRow read) throws SQLException {
    write.setString(12, read.owner());
    write.setString(13, read.owner());
    write.setLong(14, read.generation());
    write.setLong(15, read.token());
    write.setLong(16, read.nonce());
    write.setLong(17, read.fromMillis());
    write.setLong(18, read.horizonMillis());
    write.setString(19, read.identity());
    write.setLong(20, read.fence());
  }

  private static void requireOne(int changed, String what) {
    if (changed != 1) {
      throw StoreException.refused(
          what + ": changed since it was read (expected: one writer at a time)");
    }
  }
}
