package dev.idgen.lock;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/**
 * The one path of a file, whichever links lead to it. What lies beside a file, such as its lock,
 * must lie beside this path: otherwise each way to the file has a lock of its own.
 */
public final class RealPath {
  private static final String UNIX = "unix";

  private RealPath() {}

  /** A file has no path that others cannot bypass. */
  public static final class AmbiguousException extends IOException {
    private static final long serialVersionUID = 1;

    AmbiguousException(String message) {
      super(message);
    }
  }

  /**
   * Follows every link.
   *
   * @param file need not exist; its folder is made if it is missing
   * @throws AmbiguousException it is a link to nothing, or one of several names of a file: the
   *     message says what was found and expected, without the path
   * @throws IOException its folder cannot be made or read
   */
  public static Path of(Path file) throws IOException {
    Path absolute = file.toAbsolutePath();
    if (!Files.exists(absolute)) {
      return ofMissing(absolute);
    }
    Path real = absolute.toRealPath();
    if (Files.isRegularFile(real)) {
      requireOneName(real);
    }
    return real;
  }

  private static Path ofMissing(Path absolute) throws IOException {
    if (Files.isSymbolicLink(absolute)) {
      throw new AmbiguousException(
          "a link to " + Files.readSymbolicLink(absolute) + " (expected: a link to what exists)");
    }
    Path folder = Objects.requireNonNull(absolute.getParent(), "folder of a file");
    Folder.make(folder);
    return folder.toRealPath().resolve(absolute.getFileName());
  }

  private static void requireOneName(Path real) throws IOException {
    if (!real.getFileSystem().supportedFileAttributeViews().contains(UNIX)) {
      return; // there is no count to look at
    }
    Object names = Files.getAttribute(real, UNIX + ":nlink");
    if (!Integer.valueOf(1).equals(names)) {
      throw new AmbiguousException(
          "has " + names + " names, hard links (expected: one; a copy instead of a hard link)");
    }
  }
}
