package dev.idgen.server.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads the file of keys for opaque ids: YAML, a list of keys, the one in use first. */
public final class KeysFile {
  private static final Pattern NAME = Pattern.compile("[0-9A-Za-z]");
  private static final Pattern HEX =
      Pattern.compile("[0-9A-Fa-f]{32}|[0-9A-Fa-f]{48}|[0-9A-Fa-f]{64}");
  private static final Set<String> KEYS = new LinkedHashSet<>(List.of("name", "key"));

  private KeysFile() {}

  /**
   * One key. Not shown by its text.
   *
   * @param name one of {@code 0-9A-Za-z}
   * @param hex 16, 24 or 32 bytes in hexadecimal digits
   */
  public record Key(char name, String hex) {

    /** The key itself. */
    public byte[] bytes() {
      return HexFormat.of().parseHex(hex);
    }

    @Override
    public String toString() {
      return "key " + name;
    }
  }

  /**
   * All keys of a file.
   *
   * @param faults receives what is wrong with it; keys are never part of it
   */
  public static List<Key> read(Path path, List<String> faults) {
    List<Key> keys = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (YamlList.Entry entry : YamlList.read("opaque.keys", path, KEYS, faults)) {
      String name = String.valueOf(entry.values().get("name"));
      String hex = String.valueOf(entry.values().get("key"));
      if (!NAME.matcher(name).matches() || !names.add(name)) {
        faults.add(entry.where() + ": name: " + name + " (expected: one of 0-9A-Za-z, each once)");
      } else if (!HEX.matcher(hex).matches()) {
        faults.add(entry.where() + ": key: not shown (expected: 32, 48 or 64 hexadecimal digits)");
      } else {
        keys.add(new Key(name.charAt(0), hex));
      }
    }
    return List.copyOf(keys);
  }
}
