package dev.idgen.entropy;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;

/** A source of random bits. Thread-safe unless an implementation says otherwise. */
@FunctionalInterface
public interface Entropy {

  /** Fills the whole array with random bytes. */
  void fill(byte[] bytes);

  /** 64 random bits. */
  default long nextLong() {
    byte[] bytes = new byte[Long.BYTES];
    fill(bytes);
    long value = 0;
    for (byte b : bytes) {
      value = value << 8 | (b & 0xff);
    }
    return value;
  }

  /**
   * A random number below a bound, each as likely as the others.
   *
   * @param bound 1 or more
   */
  default int nextInt(int bound) {
    if (bound < 1) {
      throw new IllegalArgumentException("bound: " + bound + " (expected: >= 1)");
    }
    long limit = Long.MAX_VALUE - Long.MAX_VALUE % bound;
    long value = nextLong() & Long.MAX_VALUE;
    while (value >= limit) { // rejects at most one draw in 2^32
      value = nextLong() & Long.MAX_VALUE;
    }
    return (int) (value % bound);
  }

  /** The secure generator of the platform: fast, buffered inside the process. */
  static Entropy secure() {
    return Sources.SECURE;
  }

  /**
   * Read from the operating system at each call, so that two copies of one process image differ.
   * Slower than {@link #secure}; for tokens and nonces.
   */
  static Entropy operatingSystem() {
    return Sources.OPERATING_SYSTEM;
  }
}

/** The real sources. */
final class Sources {
  private static final Path DEVICE = Path.of("/dev/urandom");
  private static final SecureRandom RANDOM = new SecureRandom();

  static final Entropy SECURE = RANDOM::nextBytes;
  static final Entropy OPERATING_SYSTEM =
      Files.isReadable(DEVICE)
          ? Sources::readDevice
          : bytes -> copy(RANDOM.generateSeed(bytes.length), bytes);

  private Sources() {}

  private static void readDevice(byte[] bytes) {
    try (InputStream device = new FileInputStream(DEVICE.toFile())) {
      if (device.readNBytes(bytes, 0, bytes.length) != bytes.length) {
        throw new IllegalStateException(
            DEVICE + ": ended early (expected: " + bytes.length + " bytes)");
      }
    } catch (IOException e) {
      throw new IllegalStateException(DEVICE + ": unreadable (expected: random bytes)", e);
    }
  }

  private static void copy(byte[] from, byte[] to) {
    System.arraycopy(from, 0, to, 0, to.length);
  }
}
