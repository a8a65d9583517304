package dev.idgen.store.jdbc;

import dev.idgen.store.Residue;
import dev.idgen.store.SegmentRow;
import dev.idgen.store.SegmentSnapshot;
import dev.idgen.store.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the marks of tags, in SQL that every dialect understands. A write is made on the
 * condition that the row is still as it was read.
 */
final class SegmentRows {
  private static final String SELECT =
      "SELECT max_id, floor_id, identity, fence, version, removed FROM id_alloc WHERE biz_tag = ?";
  private static final String INSERT =
      "INSERT INTO id_alloc (max_id, floor_id, identity, fence, version, removed, biz_tag)"
          + " VALUES (?, ?, ?, ?, ?, ?, ?)";
  private static final String UPDATE =
      "UPDATE id_alloc SET max_id = ?, floor_id = ?, identity = ?, fence = ?, version = ?,"
          + " removed = ?, update_time = CURRENT_TIMESTAMP WHERE biz_tag = ?"
          + " AND max_id = ? AND version = ?";

  /**
   * What a mark stands on, all at once. The fence is that of the leases, where they are in this
   * database, and of the marks alone.
   */
  private static final String GROUND =
      ", COALESCE((SELECT fence FROM idgen_namespace WHERE namespace = ?), 0)"
          + " + COALESCE((SELECT fence FROM idgen_fence WHERE namespace = ?), 0), first_server"
          + " FROM idgen_meta WHERE id = 1";

  private static final String MARKS_FENCE = "SELECT fence FROM idgen_fence WHERE namespace = ?";
  private static final String FIRST_FENCE =
      "INSERT INTO idgen_fence (fence, namespace) VALUES (?, ?)";
  private static final String NEXT_FENCE = "UPDATE idgen_fence SET fence = ? WHERE namespace = ?";
  private static final String RESIDUE =
      "SELECT modulus, residue FROM idgen_residue WHERE namespace = ?";
  private static final String BIND =
      "INSERT INTO idgen_residue (modulus, residue, namespace) VALUES (?, ?, ?)";
  private static final String PLAIN = "SELECT 1 FROM id_alloc WHERE biz_tag NOT LIKE '%/%' LIMIT 1";
  private static final String PREFIXED =
      "SELECT 1 FROM id_alloc WHERE SUBSTR(biz_tag, 1, ?) = ? LIMIT 1";
  private static final String BEGIN =
      "UPDATE idgen_meta SET first_server = ? WHERE id = 1 AND first_server IS NULL";

  /** No other service has it. */
  private static final String OWN_COLUMN = "floor_id";

  private SegmentRows() {}

  /** The tag alone in the namespace {@code default}, so that tables of other services fit. */
  static String key(String namespace, String tag) {
    return namespace.equals("default") ? tag : namespace + "/" + tag;
  }

  /** Remembers which server the tags of this database began on, once. */
  static void begin(Connection connection, String identity) throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(BEGIN)) {
      update.setString(1, identity);
      update.executeUpdate();
    }
  }

  /** Which of several databases this one is; what it is from now on if nobody has said so. */
  static Residue residue(Connection connection, String namespace, Residue ifNew)
      throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(RESIDUE)) {
      select.setString(1, namespace);
      try (ResultSet row = select.executeQuery()) {
        if (row.next()) {
          return new Residue(row.getInt(1), row.getInt(2));
        }
      }
    }
    Residue first = hasMarks(connection, namespace) ? Residue.ALONE : ifNew;
    try (PreparedStatement insert = connection.prepareStatement(BIND)) {
      insert.setInt(1, first.modulus());
      insert.setInt(2, first.residue());
      insert.setString(3, namespace);
      insert.executeUpdate(); // another process that came first is a conflict, and tried again
      return first;
    }
  }

  /** Marks that were made before anybody said which database this is are those of one alone. */
  private static boolean hasMarks(Connection connection, String namespace) throws SQLException {
    boolean plain = namespace.equals("default");
    try (PreparedStatement select = connection.prepareStatement(plain ? PLAIN : PREFIXED)) {
      if (!plain) {
        select.setInt(1, namespace.length() + 1);
        select.setString(2, namespace + "/");
      }
      try (ResultSet row = select.executeQuery()) {
        return row.next();
      }
    }
  }

  /**
   * Other services have a table of this name too, and theirs is left as it is.
   *
   * @throws StoreException the one that is there is not ours
   */
  static void requireOwn(Connection connection, Dialect dialect) throws SQLException {
    Set<String> columns = dialect.columns(connection, "id_alloc");
    if (!columns.isEmpty() && !columns.contains(OWN_COLUMN)) {
      throw StoreException.permanent(
          dialect.kind()
              + ": "
              + dialect.place()
              + ": id_alloc is another program's table, it has no column "
              + OWN_COLUMN
              + " (expected: a database or schema of its own)",
          null);
    }
  }

  /** Fails where the tables of marks are missing, are not ours, or may not be written. */
  static void verify(Connection connection, Dialect dialect) throws SQLException {
    requireOwn(connection, dialect);
    for (String table : List.of("id_alloc", "idgen_residue", "idgen_fence")) {
      Grants.requireWrite(connection, table, table.equals("idgen_residue") ? "residue" : "fence");
    }
  }

  static SegmentSnapshot snapshot(
      Connection connection, Dialect dialect, String namespace, String key) throws SQLException {
    SegmentRow row = row(connection, key, dialect.lockRow()); // first: it may wait
    Ground ground = ground(connection, dialect, namespace);
    String first = ground.firstServer();
    if (first == null) {
      throw StoreException.refused("idgen_meta: first_server is null (expected: a server)");
    }
    return new SegmentSnapshot(ground.identity(), ground.fence(), first, row);
  }

  /**
   * What tells whether acknowledged writes may be gone.
   *
   * @param identity which database answers
   * @param fence how often they were declared lost
   * @param firstServer which one the tags began on; null: they have not
   */
  record Ground(String identity, long fence, @Nullable String firstServer) {}

  static Ground ground(Connection connection, Dialect dialect, String namespace)
      throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement("SELECT " + dialect.identity() + GROUND)) {
      select.setString(1, namespace);
      select.setString(2, namespace);
      try (ResultSet row = select.executeQuery()) {
        if (!row.next()) {
          throw StoreException.refused("idgen_meta: no row (expected: the database's identity)");
        }
        return new Ground(row.getString(1), row.getLong(2), row.getString(3));
      }
    }
  }

  /** Raises the fence of the marks by one. Two that do so at once are a conflict, tried again. */
  static long raiseFence(Connection connection, String namespace, String lock) throws SQLException {
    long known = 0;
    try (PreparedStatement select = connection.prepareStatement(MARKS_FENCE + lock)) {
      select.setString(1, namespace);
      try (ResultSet row = select.executeQuery()) {
        known = row.next() ? row.getLong(1) : 0;
      }
    }
    String sql = known == 0 ? FIRST_FENCE : NEXT_FENCE;
    try (PreparedStatement write = connection.prepareStatement(sql)) {
      write.setLong(1, known + 1);
      write.setString(2, namespace);
      write.executeUpdate();
      return known + 1;
    }
  }

  static @Nullable SegmentRow row(Connection connection, String key, String lock)
      throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(SELECT + lock)) {
      select.setString(1, key);
      try (ResultSet row = select.executeQuery()) {
        if (!row.next()) {
          return null;
        }
        return new SegmentRow(
            row.getLong(1),
            row.getLong(2),
            row.getString(3),
            row.getLong(4),
            row.getLong(5),
            row.getInt(6) != 0);
      }
    }
  }

  static void write(Connection connection, String key, @Nullable SegmentRow read, SegmentRow next)
      throws SQLException {
    try (PreparedStatement write = connection.prepareStatement(read == null ? INSERT : UPDATE)) {
      write.setLong(1, next.maxId());
      write.setLong(2, next.floor());
      write.setString(3, next.identity());
      write.setLong(4, next.fence());
      write.setLong(5, next.version());
      write.setInt(6, next.removed() ? 1 : 0);
      write.setString(7, key);
      if (read != null) {
        write.setLong(8, read.maxId());
        write.setLong(9, read.version());
      }
      if (write.executeUpdate() != 1) {
        throw StoreException.refused(
                "tag " + key + ": changed since it was read (expected: one writer at a time)")
            .ofRow();
      }
    }
  }
}
