package dev.idgen.store.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * What a pool is given in place of a connection that cannot be made, so that whoever waits for one
 * is told why, at once.
 *
 * <p>HikariCP keeps a failure to itself: it tries again and again while somebody waits, and rests
 * for up to five seconds in between, when a server may be back long since. This connection passes
 * for a new one, is found to be none by who takes it, and never lives when it is asked.
 */
interface NoConnection {

  /** Why it could not be made. */
  SQLException why();

  /** When, by monotonic time. */
  long atNanos();

  /** Stands for a connection that could not be made. */
  static Connection standIn(SQLException why, long atNanos) {
    return (Connection)
        Proxy.newProxyInstance(
            NoConnection.class.getClassLoader(),
            new Class<?>[] {Connection.class, NoConnection.class},
            new Answers(why, atNanos));
  }

  /** What a connection of the pool stands for; null: it is one. */
  static @Nullable NoConnection in(Connection taken) throws SQLException {
    return taken.isWrapperFor(NoConnection.class) ? taken.unwrap(NoConnection.class) : null;
  }

  /** Says yes to what a pool does with a new connection, and no to everything else. */
  record Answers(SQLException why, long atNanos) implements InvocationHandler {
    /** To HikariCP: not known, so that the next connection is asked. */
    private static final int UNKNOWN_TIMEOUT = -1;

    @Override
    public @Nullable Object invoke(Object self, Method method, Object @Nullable [] arguments)
        throws SQLException {
      return switch (method.getName()) {
        case "why" -> why;
        case "atNanos" -> atNanos;
        case "getAutoCommit" -> true;
        case "isReadOnly", "isClosed", "isValid", "isWrapperFor" -> false;
        case "getTransactionIsolation" -> Connection.TRANSACTION_READ_COMMITTED;
        case "getNetworkTimeout" -> UNKNOWN_TIMEOUT;
        case "setNetworkTimeout", "clearWarnings", "abort", "close" -> null;
        case "toString" -> "no connection";
        case "hashCode" -> System.identityHashCode(self);
        case "equals" -> arguments != null && self == arguments[0];
        default -> throw new SQLException(method.getName() + ": no connection", "08003", why);
      };
    }
  }
}
