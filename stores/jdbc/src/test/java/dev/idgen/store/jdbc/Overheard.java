package dev.idgen.store.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** A connection of which every text of SQL is heard before it is run. */
final class Overheard {
  private Overheard() {}

  /** Hears what is said. */
  interface Listener {

    /**
     * A statement, before it is run.
     *
     * @param target the connection that it goes to
     * @throws SQLException it is not run, and fails so
     */
    void hear(Connection target, String sql) throws SQLException;
  }

  static Connection connection(Connection target, Listener listener) {
    return overheard(Connection.class, target, target, listener);
  }

  /** Whatever takes one text takes SQL. */
  private static <T> T overheard(Class<T> type, T on, Connection target, Listener listener) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, args) -> {
              if (args != null && args.length == 1 && args[0] instanceof String sql) {
                listener.hear(target, sql);
              }
              try {
                Object result = method.invoke(on, args);
                return method.getName().equals("createStatement")
                    ? overheard(Statement.class, (Statement) result, target, listener)
                    : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
