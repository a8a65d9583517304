package dev.idgen.store.jdbc;

import java.sql.SQLException;

/** A row is not as it was read: nothing was written, and another attempt makes sense at once. */
final class ChangedException extends SQLException {
  private static final long serialVersionUID = 1L;

  /**
   * Nothing of the transaction may be committed.
   *
   * @param what which row
   */
  ChangedException(String what) {
    super(what + ": changed since it was read");
  }
}
