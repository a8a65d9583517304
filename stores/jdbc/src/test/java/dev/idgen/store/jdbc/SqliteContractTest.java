package dev.idgen.store.jdbc;

import dev.idgen.check.contract.WorkerStoreContract;
import dev.idgen.entropy.Entropy;
import dev.idgen.store.WorkerStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import org.junit.jupiter.api.io.TempDir;

class SqliteContractTest extends WorkerStoreContract {
  @TempDir private Path folder;

  @Override
  protected WorkerStore openClient() {
    return JdbcWorkerStore.open(dialect(), Entropy.operatingSystem());
  }

  private Dialect dialect() {
    return new SqliteDialect(folder.resolve("idgen.db"), time) {
      @Override
      public long nowMillis(Connection connection) {
        return time.wallMillis();
      }
    };
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
