package dev.idgen.store.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** Where a session gets its connections from. */
interface Connections {

  /** One that is ready for a transaction; nobody else has it. */
  Connection take() throws SQLException;

  /** Gives one back whose transaction has ended well. */
  void give(Connection connection);

  /** Ends one whose transaction has failed, whatever state it is in. */
  void discard(Connection connection) throws SQLException;

  /** Ends those that are the session's alone. */
  void close() throws SQLException;
}
