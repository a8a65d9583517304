package dev.idgen.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Objects;

/** A wall clock for other processes that a test can step while they run. Needs gcc. */
final class SteppedClock {
  private final Path library;
  private final Path offset;

  /** Compiles the clock into a folder. */
  SteppedClock(Path folder) throws IOException, InterruptedException {
    Path source = folder.resolve("clock-shim.c");
    library = folder.resolve("clock-shim.so");
    offset = folder.resolve("clock-offset");
    try (InputStream code = SteppedClock.class.getResourceAsStream("clock-shim.c")) {
      Files.copy(Objects.requireNonNull(code), source);
    }
    Process gcc =
        new ProcessBuilder(
                "gcc",
                "-O2",
                "-shared",
                "-fPIC",
                "-o",
                library.toString(),
                source.toString(),
                "-ldl")
            .inheritIO()
            .start();
    if (gcc.waitFor() != 0) {
      throw new IllegalStateException("gcc: exit " + gcc.exitValue() + " (expected: 0)");
    }
    stepTo(0);
  }

  /** Sets how far the clock is from the true one, for all processes that look at it. */
  void stepTo(long millis) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
    // In place: the processes have the file mapped.
    Files.write(
        offset, bytes.putLong(millis).array(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }

  /** What a process needs to have this clock. */
  Map<String, String> environment() {
    return Map.of("LD_PRELOAD", library.toString(), "CLOCK_SHIM", offset.toString());
  }
}
