package dev.idgen.check.contract;

import dev.idgen.store.WorkerStore;
import dev.idgen.store.file.FileWorkerStore;
import java.io.IOException;
import java.nio.file.Path;

class FileProcessesTest extends StoreProcessesContract {

  /** A child process: see {@link StoreProcessesContract}. */
  public static void main(String[] args) throws IOException {
    live(() -> FileWorkerStore.open(Path.of(args[0])), args);
  }

  @Override
  protected WorkerStore open(Path place) {
    return FileWorkerStore.open(place);
  }

  @Override
  protected Class<?> main() {
    return FileProcessesTest.class;
  }
}
