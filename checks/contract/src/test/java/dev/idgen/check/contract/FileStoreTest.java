package dev.idgen.check.contract;

import dev.idgen.store.WorkerStore;
import dev.idgen.store.file.FileWorkerStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class FileStoreTest extends WorkerStoreContract {
  @TempDir private Path folder;

  @Override
  protected WorkerStore openClient() {
    return FileWorkerStore.open(folder, time);
  }

  @Override
  protected void wipe() {
    try {
      Files.delete(folder.resolve("state"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
