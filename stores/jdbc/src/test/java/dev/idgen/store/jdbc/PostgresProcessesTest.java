package dev.idgen.store.jdbc;

import dev.idgen.check.contract.StoreProcessesContract;
import dev.idgen.check.servers.PostgresServer;
import dev.idgen.store.WorkerStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class PostgresProcessesTest extends StoreProcessesContract {
  private static PostgresServer server;

  private final Map<Path, String> schemas = new HashMap<>();

  /** A child process: see {@link StoreProcessesContract}. */
  public static void main(String[] args) throws IOException {
    live(() -> JdbcWorkerStore.open(args[0]), args);
  }

  @BeforeAll
  static void startServer() {
    server = PostgresServer.start();
  }

  @AfterAll
  static void endServer() {
    server.close();
  }

  @Override
  protected WorkerStore open(Path place) {
    return JdbcWorkerStore.open(address(place));
  }

  /** A schema for each folder. */
  @Override
  protected String address(Path place) {
    return server.schemaUrl(schemas.computeIfAbsent(place, p -> server.freshSchema()));
  }

  @Override
  protected boolean shared() {
    return true;
  }

  @Override
  protected Class<?> main() {
    return PostgresProcessesTest.class;
  }
}
