package dev.idgen.lock;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A file that one holder on this machine has locked. The operating system drops the lock when the
 * process ends, however it ends.
 *
 * <p>Within the process the system's properties keep account of the files that are locked: they are
 * the one place that copies of this class in several class loaders share. Since anybody may replace
 * the properties, each copy of the class keeps an account of its own as well. No file that is on an
 * account is opened: closing it again would drop the lock. Thread-safe.
 */
public final class LockFile implements AutoCloseable {
  private static final String ACCOUNT = "dev.idgen.lock:";
  private static final int MAX_NOTE_BYTES = 1024;
  private static final int MAX_REPLACED = 100; // a sweeper deletes a file between open and lock

  /** Far beyond the note, so that others may read it where locks are mandatory. */
  private static final long LOCKED_BYTE = Long.MAX_VALUE - 1;

  private static final Map<String, String> HELD = new ConcurrentHashMap<>();

  private final Path path;
  private final Entry entry;
  private final FileChannel channel;
  private boolean closed;

  private LockFile(Path path, Entry entry, FileChannel channel) {
    this.path = path;
    this.entry = entry;
    this.channel = channel;
  }

  /** On the account, from before the file is opened until after it was closed. */
  private record Entry(String name, Properties shared) {
    /** Who was there first, or null. */
    @Nullable Object enter(String holder) {
      Object other = HELD.putIfAbsent(name, holder);
      if (other == null) {
        other = shared.putIfAbsent(name, holder);
        if (other != null) {
          HELD.remove(name);
        }
      }
      return other;
    }

    void leave() {
      shared.remove(name);
      HELD.remove(name);
    }
  }

  /**
   * What became of an attempt.
   *
   * @param lock null: somebody else holds it
   * @param holder what the other holder wrote into the file; empty if unknown
   */
  public record Attempt(@Nullable LockFile lock, String holder) {}

  /**
   * Locks a file, making it if need be, without waiting.
   *
   * @param path its folder exists
   * @param note one line about the holder, for others to read; empty: leave what is there
   * @throws IOException the file cannot be opened or locked
   */
  public static Attempt tryLock(Path path, String note) throws IOException {
    return tryLock(path, note, true);
  }

  /**
   * Locks a file that exists, without waiting.
   *
   * @throws NoSuchFileException it does not exist
   * @throws IOException the file cannot be opened or locked
   */
  static Attempt tryLockExisting(Path path) throws IOException {
    return tryLock(path, "", false);
  }

  private static Attempt tryLock(Path path, String note, boolean create) throws IOException {
    Entry entry = new Entry(account(path), System.getProperties());
    Object holder = entry.enter("this process, " + note);
    if (holder != null) {
      return new Attempt(null, holder.toString());
    }
    LockFile lock = null;
    try {
      for (int i = 0; i < MAX_REPLACED; i++) {
        Attempt attempt = tryOnce(path, entry, create);
        if (attempt != null) {
          lock = attempt.lock;
          if (lock != null && !note.isEmpty()) {
            lock.write(note);
          }
          return attempt;
        }
      }
      throw new IOException(
          path + ": replaced " + MAX_REPLACED + " times (expected: a lock file that stays)");
    } catch (IOException | RuntimeException e) {
      if (lock != null) {
        lock.close();
      }
      throw e;
    } finally {
      if (lock == null) {
        entry.leave();
      }
    }
  }

  /**
   * The file under the name was the same before it was opened and after it was locked, so it is the
   * one that is locked: the number of an open file is not given to another.
   *
   * @return null when the file was replaced meanwhile
   */
  private static @Nullable Attempt tryOnce(Path path, Entry entry, boolean create)
      throws IOException {
    if (create) {
      create(path);
    }
    FileChannel channel = null;
    boolean kept = false;
    try {
      Object before = keyOf(path);
      channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
      FileLock lock = channel.tryLock(LOCKED_BYTE, 1, false);
      if (lock == null) {
        return new Attempt(null, read(channel));
      }
      if (!Objects.equals(before, keyOf(path))) {
        return null;
      }
      kept = true;
      return new Attempt(new LockFile(path, entry, channel), "");
    } catch (NoSuchFileException e) {
      if (!create) {
        throw e;
      }
      return null;
    } finally {
      if (channel != null && !kept) {
        channel.close();
      }
    }
  }

  private static void create(Path path) throws IOException {
    try {
      Files.createFile(path);
    } catch (FileAlreadyExistsException e) {
      // Made by an earlier holder, or by one at this moment: either way it is there, as it must be.
    }
  }

  private static @Nullable Object keyOf(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
  }

  /** One name for a file however its folder is reached. */
  private static String account(Path path) throws IOException {
    Path absolute = path.toAbsolutePath();
    Path folder = Objects.requireNonNull(absolute.getParent(), "folder of a lock file");
    return ACCOUNT + folder.toRealPath().resolve(absolute.getFileName());
  }

  private void write(String note) throws IOException {
    channel.truncate(0);
    ByteBuffer bytes = ByteBuffer.wrap((note + "\n").getBytes(StandardCharsets.UTF_8));
    while (bytes.hasRemaining()) {
      channel.write(bytes, bytes.position());
    }
  }

  private static String read(FileChannel channel) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(MAX_NOTE_BYTES);
    channel.read(bytes, 0);
    return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8).strip();
  }

  /** Deletes the file, which only its holder may do, and drops the lock. */
  void delete() throws IOException {
    try {
      Files.deleteIfExists(path);
    } finally {
      close();
    }
  }

  /** Drops the lock and leaves the file. Closing twice does nothing. */
  @Override
  public synchronized void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try {
      channel.close();
    } finally {
      entry.leave();
    }
  }
}
