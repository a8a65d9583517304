package dev.idgen.lock;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderTest {
  @TempDir private Path folder;

  @Test
  void make_severalLevels_areThere() throws IOException {
    Folder.make(folder.resolve("a/b/c"));
    Folder.make(folder.resolve("a/b/c"));
    assertTrue(Files.isDirectory(folder.resolve("a/b/c")));
  }

  @Test
  void make_fileInTheWay_throws() throws IOException {
    Files.writeString(folder.resolve("a"), "x");
    assertThrows(FileAlreadyExistsException.class, () -> Folder.make(folder.resolve("a/b")));
  }

  @Test
  void sync_missing_throws() throws IOException {
    Folder.sync(folder);
    Folder.sync(null);
    assertThrows(NoSuchFileException.class, () -> Folder.sync(folder.resolve("none")));
  }
}
