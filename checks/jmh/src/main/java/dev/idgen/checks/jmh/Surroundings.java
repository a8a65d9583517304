package dev.idgen.checks.jmh;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Where and how a table was made. */
final class Surroundings {
  private static final Path CPU_INFO = Path.of("/proc/cpuinfo");

  private Surroundings() {}

  static String describe(String command, Pace pace) {
    return String.join(
        "\n",
        "- date: " + Instant.now().truncatedTo(ChronoUnit.SECONDS),
        "- command: `" + command + "`",
        "- JDK: " + System.getProperty("java.vm.name") + " " + Runtime.version(),
        "- processors: " + Runtime.getRuntime().availableProcessors() + " x " + processor(),
        "- JVM flags: " + String.join(" ", Lab.FLAGS),
        "- load at the end: " + ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
        "- each figure: median of "
            + pace.forks()
            + " forks, taken in turn, of "
            + pace.iterations()
            + " x "
            + pace.iterationMs()
            + " ms after "
            + pace.warmupMs()
            + " ms; error: half the spread of the forks",
        "");
  }

  private static String processor() {
    if (!Files.isReadable(CPU_INFO)) {
      return System.getProperty("os.arch");
    }
    try {
      return Files.readAllLines(CPU_INFO).stream()
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(System.getProperty("os.arch"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
