package dev.idgen.store.jdbc;

import dev.idgen.check.contract.IdempotencyStoreContract;
import dev.idgen.store.IdempotencyStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteIdempotencyTest extends IdempotencyStoreContract {
  @TempDir private Path folder;

  @Override
  protected IdempotencyStore openClient() {
    return JdbcIdempotencyStore.of(Lanes.alone(dialect(), JdbcIdempotencyStore::prepare));
  }

  private Dialect dialect() {
    return new SqliteDialect(folder.resolve("idgen.db"), time) {
      @Override
      public String now() {
        return String.valueOf(time.wallMillis());
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
