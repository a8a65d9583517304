package dev.idgen.store.file;

import dev.idgen.lock.Folder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** The few things that a state file needs of a disk. A test's disk crashes between any two. */
interface Disk {

  /**
   * A whole file.
   *
   * @return null: there is none
   */
  byte @Nullable [] read(Path file) throws IOException;

  /** Makes or overwrites a file, which no crash need leave whole. */
  void write(Path file, byte[] bytes) throws IOException;

  /** Makes what was written to a file survive a crash. */
  void sync(Path file) throws IOException;

  /** Puts one file in the place of another: after a crash it is either of them. */
  void replace(Path from, Path to) throws IOException;

  /** Makes the names in a folder survive a crash. */
  void syncFolder(Path folder) throws IOException;

  /** The disk of this machine. */
  Disk REAL =
      new Disk() {
        @Override
        public byte @Nullable [] read(Path file) throws IOException {
          try {
            return Files.readAllBytes(file);
          } catch (NoSuchFileException e) {
            return null;
          }
        }

        @Override
        public void write(Path file, byte[] bytes) throws IOException {
          try (FileChannel channel =
              FileChannel.open(
                  file,
                  StandardOpenOption.CREATE,
                  StandardOpenOption.TRUNCATE_EXISTING,
                  StandardOpenOption.WRITE)) {
            ByteBuffer left = ByteBuffer.wrap(bytes);
            while (left.hasRemaining()) {
              channel.write(left);
            }
          }
        }

        @Override
        public void sync(Path file) throws IOException {
          try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
          }
        }

        @Override
        public void replace(Path from, Path to) throws IOException {
          Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        }

        @Override
        public void syncFolder(Path folder) throws IOException {
          Folder.sync(folder);
        }
      };
}
