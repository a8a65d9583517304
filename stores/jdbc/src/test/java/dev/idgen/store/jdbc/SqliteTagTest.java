package dev.idgen.store.jdbc;

import dev.idgen.check.contract.TagStoreContract;
import dev.idgen.store.TagStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.io.TempDir;

class SqliteTagTest extends TagStoreContract {
  @TempDir private Path folder;

  @Override
  protected TagStore openClient() {
    return JdbcTagStore.open(url());
  }

  private String url() {
    return "jdbc:sqlite:" + folder.resolve("idgen.db");
  }

  @Override
  protected boolean spoil(String tag) {
    try (Connection connection = DriverManager.getConnection(url());
        Statement statement = connection.createStatement()) {
      return statement.executeUpdate("UPDATE idgen_tag SET step = 0 WHERE tag = '" + tag + "'")
          == 1;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  protected void wipe() {
    try {
      Files.delete(folder.resolve("idgen.db"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
