package dev.idgen.lock;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Folders whose entries are still there after a power cut. */
public final class Folder {

  private Folder() {}

  /**
   * Makes a folder and those above it, durably, unless they are there.
   *
   * @throws IOException one of them cannot be made
   */
  public static void make(Path folder) throws IOException {
    if (Files.isDirectory(folder)) {
      return;
    }
    Path parent = folder.toAbsolutePath().getParent();
    if (parent != null) {
      make(parent);
    }
    Files.createDirectories(folder);
    sync(parent);
  }

  /**
   * Makes the names in a folder survive a power cut.
   *
   * @param folder null: nothing to do
   * @throws IOException the disk failed: what it holds is not known
   */
  public static void sync(@Nullable Path folder) throws IOException {
    if (folder == null || File.separatorChar == '\\') {
      return; // Windows opens no folders, and keeps their entries by itself
    }
    try (FileChannel channel = FileChannel.open(folder)) {
      channel.force(true);
    }
  }
}
