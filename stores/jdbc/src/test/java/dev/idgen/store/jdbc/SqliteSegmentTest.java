package dev.idgen.store.jdbc;

import dev.idgen.check.contract.SegmentStoreContract;
import dev.idgen.store.SegmentStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteSegmentTest extends SegmentStoreContract {
  @TempDir private Path folder;

  @Override
  protected SegmentStore openClient() {
    return JdbcSegmentStore.open("jdbc:sqlite:" + folder.resolve("idgen.db"));
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
