package dev.idgen.store.file;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A disk in memory that crashes at a chosen step. Afterwards it holds what was synced, and of the
 * rest whatever a disk may make of it: names that are there or not, contents that are whole, cut
 * off, or zeros.
 */
final class CrashingDisk implements Disk {
  private final Random random;
  private final Map<Path, Content> names = new HashMap<>();
  private final Map<Path, Content> durableNames = new HashMap<>();
  private final List<Map.Entry<Path, Content>> renamed = new ArrayList<>(); // not synced yet
  private int stepsLeft;

  private static final class Content {
    byte[] cached = {};
    byte[] durable = {};
  }

  static final class Crash extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Crash() {
      super("crash");
    }
  }

  CrashingDisk(int crashAtStep, Random random) {
    this.stepsLeft = crashAtStep;
    this.random = random;
  }

  /** The disk as a machine finds it when it comes up again. */
  CrashingDisk afterCrash() {
    CrashingDisk next = new CrashingDisk(Integer.MAX_VALUE, random);
    next.names.putAll(durableNames);
    for (Map.Entry<Path, Content> rename : renamed) {
      if (random.nextBoolean()) {
        next.names.put(rename.getKey(), rename.getValue());
      }
    }
    for (Map.Entry<Path, Content> name : next.names.entrySet()) {
      Content content = new Content();
      content.cached = settled(name.getValue());
      content.durable = content.cached;
      name.setValue(content);
      next.durableNames.put(name.getKey(), content);
    }
    return next;
  }

  private byte[] settled(Content content) {
    if (Arrays.equals(content.cached, content.durable)) {
      return content.durable;
    }
    return switch (random.nextInt(4)) {
      case 0 -> content.durable;
      case 1 -> content.cached;
      case 2 -> Arrays.copyOf(content.cached, random.nextInt(content.cached.length + 1));
      default -> new byte[content.cached.length];
    };
  }

  private boolean crashes() {
    if (stepsLeft <= 0) {
      throw new Crash();
    }
    return --stepsLeft == 0;
  }

  @Override
  public byte @Nullable [] read(Path file) {
    if (crashes()) {
      throw new Crash();
    }
    Content content = names.get(file);
    return content == null ? null : content.cached.clone();
  }

  @Override
  public void write(Path file, byte[] bytes) {
    boolean crash = crashes();
    Content content = names.get(file);
    if (content == null) {
      content = new Content();
      names.put(file, content);
      renamed.add(Map.entry(file, content));
    }
    content.cached = crash ? Arrays.copyOf(bytes, random.nextInt(bytes.length)) : bytes.clone();
    if (crash) {
      throw new Crash();
    }
  }

  @Override
  public void sync(Path file) throws IOException {
    if (crashes()) {
      throw new Crash();
    }
    Content content = names.get(file);
    if (content == null) {
      throw new IOException("no such file");
    }
    content.durable = content.cached;
  }

  @Override
  public void replace(Path from, Path to) throws IOException {
    boolean crash = crashes();
    Content content = names.remove(from);
    if (content == null) {
      throw new IOException("no such file");
    }
    names.put(to, content);
    renamed.add(Map.entry(to, content));
    if (crash) {
      throw new Crash();
    }
  }

  @Override
  public void syncFolder(Path folder) {
    if (crashes()) {
      throw new Crash();
    }
    durableNames.clear();
    durableNames.putAll(names);
    renamed.clear();
  }
}
