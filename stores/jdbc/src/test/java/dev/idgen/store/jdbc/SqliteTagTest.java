package dev.idgen.store.jdbc;

import dev.idgen.check.contract.TagStoreContract;
import dev.idgen.store.TagStore;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteTagTest extends TagStoreContract {
  @TempDir private Path folder;

  @Override
  protected TagStore openClient() {
    return JdbcTagStore.open("jdbc:sqlite:" + folder.resolve("idgen.db"));
  }
}
