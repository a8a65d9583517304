package dev.idgen.store.jdbc;

import dev.idgen.store.IdempotencyDecision;
import dev.idgen.store.IdempotencyEntry;
import dev.idgen.store.IdempotencyRow;
import dev.idgen.store.IdempotencySnapshot;
import dev.idgen.store.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes idempotency keys, in SQL that every dialect understands. Nothing is locked for a
 * read, and a write is made on the condition that the row is still as it was read.
 *
 * <p>How many rows a caller has is counted in rows of their own, one for each slot: whoever makes
 * or deletes a row writes the count after it, within the transaction.
 */
final class IdempotencyRows {
  private static final String ENTRY = " namespace = ? AND caller = ? AND tag = ? AND idem_key = ?";

  /** All that a decision needs, of one moment. */
  private static final String SNAPSHOT =
      ", (SELECT COALESCE(SUM(used), 0) FROM idgen_idempotency_use"
          + " WHERE namespace = ? AND caller = ?),"
          + " fingerprint, attempt, expires_ms, keep_ms, reply"
          + " FROM idgen_meta LEFT JOIN idgen_idempotency ON"
          + ENTRY
          + " WHERE idgen_meta.id = 1";

  private static final String INSERT =
      "INSERT INTO idgen_idempotency (fingerprint, attempt, expires_ms, keep_ms, reply,"
          + " namespace, caller, tag, idem_key) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
  private static final String AS_READ =
      " WHERE"
          + ENTRY
          + " AND attempt = ? AND expires_ms = ?"
          + " AND CASE WHEN reply IS NULL THEN 0 ELSE 1 END = ?";
  private static final String UPDATE =
      "UPDATE idgen_idempotency SET fingerprint = ?, attempt = ?, expires_ms = ?, keep_ms = ?,"
          + " reply = ?"
          + AS_READ;
  private static final String DELETE_AS_READ = "DELETE FROM idgen_idempotency" + AS_READ;

  private static final String EXPIRED =
      "SELECT namespace, caller, tag, idem_key FROM idgen_idempotency WHERE expires_ms <= ?";
  private static final String OF_CALLER = " AND namespace = ? AND caller = ?";
  private static final String OLDEST = " ORDER BY expires_ms LIMIT ?";
  private static final String DELETE = "DELETE FROM idgen_idempotency WHERE" + ENTRY;

  private static final String COUNT =
      "UPDATE idgen_idempotency_use"
          + " SET used = CASE WHEN used + ? < 0 THEN 0 ELSE used + ? END"
          + " WHERE namespace = ? AND caller = ? AND slot = ?";
  private static final String FIRST_COUNT =
      "INSERT INTO idgen_idempotency_use (used, namespace, caller, slot) VALUES (?, ?, ?, ?)";

  private IdempotencyRows() {}

  /** Fails where the tables are missing, or may not be written. */
  static void verify(Connection connection) throws SQLException {
    Grants.requireWrite(connection, "idgen_idempotency", "attempt");
    Grants.requireDelete(connection, "idgen_idempotency");
    Grants.requireWrite(connection, "idgen_idempotency_use", "used");
  }

  static IdempotencySnapshot snapshot(
      Connection connection, Dialect dialect, IdempotencyEntry entry) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement("SELECT " + dialect.now() + SNAPSHOT)) {
      select.setString(1, entry.namespace());
      select.setString(2, entry.caller());
      name(select, 3, entry);
      try (ResultSet found = select.executeQuery()) {
        if (!found.next()) {
          throw StoreException.refused("idgen_meta: no row (expected: the tables' identity)");
        }
        return new IdempotencySnapshot(found.getLong(1), found.getLong(2), row(found));
      }
    }
  }

  private static @Nullable IdempotencyRow row(ResultSet found) throws SQLException {
    String fingerprint = found.getString(3);
    return fingerprint == null
        ? null
        : new IdempotencyRow(
            fingerprint, found.getLong(4), found.getLong(5), found.getLong(6), found.getString(7));
  }

  /**
   * Writes what was decided.
   *
   * @throws ChangedException the row is not as it was read
   */
  static void write(
      Connection connection,
      IdempotencyEntry entry,
      IdempotencySnapshot read,
      IdempotencyDecision<?> decision)
      throws SQLException {
    IdempotencyRow known = read.row();
    IdempotencyRow next = decision.row();
    if (next == null) {
      if (known != null) {
        delete(connection, entry, known);
      }
    } else if (known == null) {
      insert(connection, entry, next);
    } else {
      update(connection, entry, known, next);
    }
    int added = decision.added(read);
    if (added != 0) {
      count(connection, Slot.of(entry), added);
    }
  }

  private static void insert(Connection connection, IdempotencyEntry entry, IdempotencyRow next)
      throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
      values(insert, next);
      name(insert, 6, entry);
      insert.executeUpdate(); // another process that came first is a conflict, and tried again
    }
  }

  private static void update(
      Connection connection, IdempotencyEntry entry, IdempotencyRow read, IdempotencyRow next)
      throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(UPDATE)) {
      values(update, next);
      asRead(update, 6, entry, read);
    }
  }

  private static void delete(Connection connection, IdempotencyEntry entry, IdempotencyRow read)
      throws SQLException {
    try (PreparedStatement delete = connection.prepareStatement(DELETE_AS_READ)) {
      asRead(delete, 1, entry, read);
    }
  }

  private static void values(PreparedStatement write, IdempotencyRow row) throws SQLException {
    write.setString(1, row.fingerprint());
    write.setLong(2, row.attempt());
    write.setLong(3, row.expiresMillis());
    write.setLong(4, row.keepMs());
    write.setString(5, row.reply());
  }

  private static void asRead(
      PreparedStatement write, int first, IdempotencyEntry entry, IdempotencyRow read)
      throws SQLException {
    name(write, first, entry);
    write.setLong(first + 4, read.attempt());
    write.setLong(first + 5, read.expiresMillis());
    write.setInt(first + 6, read.reply() == null ? 0 : 1);
    if (write.executeUpdate() != 1) {
      throw new ChangedException("idempotency key of tag " + entry.tag());
    }
  }

  private static void name(PreparedStatement statement, int first, IdempotencyEntry entry)
      throws SQLException {
    statement.setString(first, entry.namespace());
    statement.setString(first + 1, entry.caller());
    statement.setString(first + 2, entry.tag());
    statement.setString(first + 3, entry.key());
  }

  // ---- what has expired

  /**
   * Deletes rows whose end has come.
   *
   * @param of whose; null: of all callers
   * @param most how many at most
   * @return how many
   */
  static int purge(Connection connection, Dialect dialect, @Nullable IdempotencyEntry of, int most)
      throws SQLException {
    List<IdempotencyEntry> expired = expired(connection, dialect, of, most);
    if (expired.isEmpty()) {
      return 0;
    }
    try (PreparedStatement delete = connection.prepareStatement(DELETE)) {
      for (IdempotencyEntry entry : expired) {
        name(delete, 1, entry);
        delete.addBatch();
      }
      delete.executeBatch(); // each is there, and nobody else's: it was locked when it was read
    }
    Map<Slot, Integer> counts = new TreeMap<>(Slot.ORDER); // all purges in one order
    expired.forEach(entry -> counts.merge(Slot.of(entry), -1, Integer::sum));
    for (Map.Entry<Slot, Integer> one : counts.entrySet()) {
      count(connection, one.getKey(), one.getValue());
    }
    return expired.size();
  }

  private static List<IdempotencyEntry> expired(
      Connection connection, Dialect dialect, @Nullable IdempotencyEntry of, int most)
      throws SQLException {
    long now = dialect.nowMillis(connection);
    String sql = EXPIRED + (of == null ? "" : OF_CALLER) + OLDEST + dialect.lockRow();
    try (PreparedStatement select = connection.prepareStatement(sql)) {
      select.setLong(1, now);
      if (of != null) {
        select.setString(2, of.namespace());
        select.setString(3, of.caller());
      }
      select.setInt(of == null ? 2 : 4, most);
      List<IdempotencyEntry> expired = new ArrayList<>();
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          expired.add(
              new IdempotencyEntry(
                  row.getString(1), row.getString(2), row.getString(3), row.getString(4)));
        }
      }
      return expired;
    }
  }

  // ---- how many there are

  /** A part of a caller's count. */
  private record Slot(String namespace, String caller, int number) {
    static final Comparator<Slot> ORDER =
        Comparator.comparing(Slot::namespace)
            .thenComparing(Slot::caller)
            .thenComparingInt(Slot::number);

    static Slot of(IdempotencyEntry entry) {
      return new Slot(entry.namespace(), entry.caller(), entry.slot());
    }
  }

  private static void count(Connection connection, Slot slot, int added) throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(COUNT)) {
      update.setInt(1, added);
      update.setInt(2, added);
      update.setString(3, slot.namespace());
      update.setString(4, slot.caller());
      update.setInt(5, slot.number());
      if (update.executeUpdate() == 1 || added < 0) {
        return; // a count that is gone was taken away by hand, and begins anew
      }
    }
    try (PreparedStatement insert = connection.prepareStatement(FIRST_COUNT)) {
      insert.setInt(1, added);
      insert.setString(2, slot.namespace());
      insert.setString(3, slot.caller());
      insert.setInt(4, slot.number());
      insert.executeUpdate(); // another process that came first is a conflict, and tried again
    }
  }
}
