package dev.idgen.store.jdbc;

import dev.idgen.store.StoreException;
import dev.idgen.store.TagRow;
import dev.idgen.store.UnreadTag;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes what is set for tags, in SQL that every dialect understands. Writers of a
 * namespace come one after the other: each holds the row of its revision.
 */
final class TagRows {
  private static final String COLUMNS =
      "engine, text_form, prefix, start_id, maximum_id, step, step_min, step_max, critical,"
          + " rate_per_second, burst, owner, description, floor_id, version, revision, removed,"
          + " created_ms, updated_ms";
  private static final int TAG = 1; // the places of both in what is selected
  private static final int REVISION = 17;
  private static final String SELECT = "SELECT tag, " + COLUMNS + " FROM idgen_tag";
  private static final String ONE = SELECT + " WHERE namespace = ? AND tag = ?";
  private static final String LATER =
      SELECT + " WHERE namespace = ? AND revision > ? ORDER BY revision LIMIT ?";
  private static final String INSERT =
      "INSERT INTO idgen_tag ("
          + COLUMNS
          + ", namespace, tag) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
          + " ?, ?)";
  private static final String UPDATE =
      "UPDATE idgen_tag SET engine = ?, text_form = ?, prefix = ?, start_id = ?, maximum_id = ?,"
          + " step = ?, step_min = ?, step_max = ?, critical = ?, rate_per_second = ?, burst = ?,"
          + " owner = ?, description = ?, floor_id = ?, version = ?, revision = ?, removed = ?,"
          + " created_ms = ?, updated_ms = ? WHERE namespace = ? AND tag = ? AND version = ?";
  private static final String HEAD = "SELECT revision FROM idgen_revision WHERE namespace = ?";
  private static final String FIRST_HEAD =
      "INSERT INTO idgen_revision (revision, namespace) VALUES (?, ?)";
  private static final String NEXT_HEAD =
      "UPDATE idgen_revision SET revision = ? WHERE namespace = ?";

  private TagRows() {}

  /**
   * The last revision of a namespace.
   *
   * @param lock what the query ends with
   * @return 0: nothing was ever written
   */
  static long head(Connection connection, String namespace, String lock) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(HEAD + lock)) {
      select.setString(1, namespace);
      try (ResultSet row = select.executeQuery()) {
        return row.next() ? row.getLong(1) : 0;
      }
    }
  }

  /** Moves the last revision on, from the one that was read. */
  static void moveHead(Connection connection, String namespace, long read) throws SQLException {
    String sql = read == 0 ? FIRST_HEAD : NEXT_HEAD;
    try (PreparedStatement write = connection.prepareStatement(sql)) {
      write.setLong(1, read + 1);
      write.setString(2, namespace);
      requireOne(write.executeUpdate(), "namespace " + namespace);
    }
  }

  static @Nullable TagRow one(Connection connection, String namespace, String tag)
      throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(ONE)) {
      select.setString(1, namespace);
      select.setString(2, tag);
      try (ResultSet row = select.executeQuery()) {
        return row.next() ? read(row) : null;
      }
    } catch (IllegalArgumentException e) {
      throw StoreException.permanent(unreadable(tag, e), e).ofRow();
    }
  }

  private static String unreadable(String tag, IllegalArgumentException e) {
    return "idgen_tag: tag " + tag + ": " + e.getMessage();
  }

  /**
   * Rows that were written after a revision, in the order of their revisions.
   *
   * @param rows that can be read
   * @param unread those that cannot
   */
  record Later(List<TagRow> rows, List<UnreadTag> unread) {

    int count() {
      return rows.size() + unread.size();
    }

    private void add(ResultSet row) throws SQLException {
      try {
        rows.add(read(row));
      } catch (IllegalArgumentException e) {
        String tag = row.getString(TAG);
        unread.add(new UnreadTag(tag, row.getLong(REVISION), unreadable(tag, e)));
      }
    }
  }

  static Later later(Connection connection, String namespace, long revision, int limit)
      throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(LATER)) {
      select.setString(1, namespace);
      select.setLong(2, revision);
      select.setInt(3, limit);
      Later later = new Later(new ArrayList<>(), new ArrayList<>());
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          later.add(row);
        }
      }
      return later;
    }
  }

  private static TagRow read(ResultSet row) throws SQLException {
    return new TagRow(
        row.getString(TAG),
        row.getString(2),
        row.getString(3),
        row.getString(4),
        row.getLong(5),
        row.getLong(6),
        row.getLong(7),
        row.getLong(8),
        row.getLong(9),
        row.getInt(10) != 0,
        row.getLong(11),
        row.getLong(12),
        row.getString(13),
        row.getString(14),
        row.getLong(15),
        row.getLong(16),
        row.getLong(REVISION),
        row.getInt(18) != 0,
        row.getLong(19),
        row.getLong(20));
  }

  static void write(Connection connection, String namespace, @Nullable TagRow read, TagRow next)
      throws SQLException {
    try (PreparedStatement write = connection.prepareStatement(read == null ? INSERT : UPDATE)) {
      bind(write, next);
      write.setString(20, namespace);
      write.setString(21, next.tag());
      if (read != null) {
        write.setLong(22, read.version());
      }
      requireOne(write.executeUpdate(), "tag " + next.tag());
    }
  }

  private static void bind(PreparedStatement write, TagRow row) throws SQLException {
    write.setString(1, row.engine());
    write.setString(2, row.text());
    write.setString(3, row.prefix());
    write.setLong(4, row.start());
    write.setLong(5, row.maximum());
    write.setLong(6, row.step());
    write.setLong(7, row.stepMin());
    write.setLong(8, row.stepMax());
    write.setInt(9, row.critical() ? 1 : 0);
    write.setLong(10, row.ratePerSecond());
    write.setLong(11, row.burst());
    write.setString(12, row.owner());
    write.setString(13, row.description());
    write.setLong(14, row.floor());
    write.setLong(15, row.version());
    write.setLong(16, row.revision());
    write.setInt(17, row.removed() ? 1 : 0);
    write.setLong(18, row.createdMillis());
    write.setLong(19, row.updatedMillis());
  }

  /** Fails where the tables of tags are missing, or may not be written. */
  static void verify(Connection connection) throws SQLException {
    for (String table : List.of("idgen_tag", "idgen_revision")) {
      Grants.requireWrite(connection, table, "revision");
    }
  }

  private static void requireOne(int rows, String what) {
    if (rows != 1) {
      throw StoreException.refused(
          what + ": changed since it was read (expected: one writer at a time)");
    }
  }
}
