package dev.idgen.store.jdbc;

import dev.idgen.check.contract.StoreProcessesContract;
import dev.idgen.store.WorkerStore;
import java.io.IOException;
import java.nio.file.Path;

class SqliteProcessesTest extends StoreProcessesContract {

  /** A child process: see {@link StoreProcessesContract}. */
  public static void main(String[] args) throws IOException {
    live(() -> opened(Path.of(args[0])), args);
  }

  private static WorkerStore opened(Path place) {
    return JdbcWorkerStore.open("jdbc:sqlite:" + place.resolve("idgen.db"));
  }

  @Override
  protected WorkerStore open(Path place) {
    return opened(place);
  }

  @Override
  protected Class<?> main() {
    return SqliteProcessesTest.class;
  }
}
