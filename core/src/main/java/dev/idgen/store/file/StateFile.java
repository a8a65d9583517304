package dev.idgen.store.file;

import dev.idgen.store.StoreException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One state in one file. A new state is written beside the old one, synced, put in its place, and
 * the folder synced: a crash at any moment leaves the old or the new one whole, and after {@link
 * #save} returned, the new one.
 *
 * <p>After a failed sync nobody knows what the disk holds, not even after another sync that
 * succeeds; so everything after it is refused.
 */
final class StateFile {
  private static final int MAX_BYTES = 64 << 20;

  private final Disk disk;
  private final Path file;
  private final Path folder;
  private final Path fresh;
  private @Nullable String broken;

  StateFile(Disk disk, Path file) {
    this.disk = disk;
    this.file = file;
    this.folder = Objects.requireNonNull(file.getParent(), "folder of the state file");
    this.fresh = folder.resolve(file.getFileName() + ".new");
  }

  /**
   * What the file says.
   *
   * @return null: there is no file
   * @throws StoreException it is damaged or out of reach; it is left as it is
   */
  @Nullable State load() {
    requireTrust();
    byte[] bytes;
    try {
      bytes = disk.read(file);
    } catch (IOException e) {
      throw refused(text(e) + " (expected: a file that can be read)", e);
    }
    if (bytes == null) {
      return null;
    }
    try {
      return StateText.read(bytes);
    } catch (StateText.DamagedException e) {
      throw refused(
          e.getMessage()
              + "; put a backup in its place and run `idgen fence`, or move it away once the clock"
              + " is past every id that was issued",
          e);
    }
  }

  /**
   * Makes a state the file's, durably.
   *
   * @throws StoreException it was not, or nobody knows
   */
  void save(State state) {
    requireTrust();
    byte[] bytes = StateText.write(state);
    if (bytes.length > MAX_BYTES) {
      throw StoreException.refused(
          "file: " + file + ": " + bytes.length + " bytes (expected: at most " + MAX_BYTES + ")");
    }
    try {
      disk.write(fresh, bytes);
    } catch (IOException e) {
      throw refused(text(e) + " (expected: a folder that can be written, with free space)", e);
    }
    synced(fresh, () -> disk.sync(fresh), false);
    try {
      disk.replace(fresh, file); // from here on a crash leaves either state, and nobody was told
    } catch (IOException e) {
      throw StoreException.unknown(
          "file: " + file + ": " + text(e) + " (expected: a file that can be replaced)", e);
    }
    synced(folder, () -> disk.syncFolder(folder), true); // linearization point
  }

  private interface Sync {
    void run() throws IOException;
  }

  private void synced(Path path, Sync sync, boolean replaced) {
    try {
      sync.run();
    } catch (IOException e) {
      String message = "file: " + path + ": sync failed, " + text(e);
      broken = message + " (expected: a disk that works; restart when it does)";
      throw replaced ? StoreException.unknown(broken, e) : StoreException.refused(broken, e);
    }
  }

  private void requireTrust() {
    if (broken != null) {
      throw StoreException.refused(broken);
    }
  }

  private StoreException refused(String message, Exception cause) {
    return StoreException.refused("file: " + file + ": " + message, cause);
  }

  private static String text(IOException e) {
    if (e instanceof AccessDeniedException) {
      return "access denied";
    }
    String reason = e instanceof FileSystemException known ? known.getReason() : e.getMessage();
    return reason == null ? e.toString() : reason;
  }
}
