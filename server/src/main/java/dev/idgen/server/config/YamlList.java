package dev.idgen.server.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Reads a file of secrets: YAML, a list of maps. What it says of faults never has a value in it.
 */
final class YamlList {
  private static final long MAX_BYTES = 1 << 20;

  private final String setting;
  private final Path path;
  private final Set<String> keys;
  private final List<String> faults;

  private YamlList(String setting, Path path, Set<String> keys, List<String> faults) {
    this.setting = setting;
    this.path = path;
    this.keys = keys;
    this.faults = faults;
  }

  /**
   * One map of the list.
   *
   * @param where for messages
   */
  record Entry(String where, Map<?, ?> values) {}

  /**
   * All maps of a file.
   *
   * @param setting that names the file
   * @param keys that a map may have
   * @param faults receives what is wrong with it
   */
  static List<Entry> read(String setting, Path path, Set<String> keys, List<String> faults) {
    YamlList list = new YamlList(setting, path, keys, faults);
    try {
      return list.read();
    } catch (IOException e) {
      list.fault("unreadable (expected: a YAML file)");
    } catch (YamlEngineException e) {
      list.fault("no YAML (expected: a list of maps)");
    }
    return List.of();
  }

  private List<Entry> read() throws IOException {
    if (Files.size(path) > MAX_BYTES) {
      fault("too large (expected: at most " + MAX_BYTES + " bytes)");
      return List.of();
    }
    LoadSettings settings = LoadSettings.builder().setAllowDuplicateKeys(false).build();
    Object root = new Load(settings).loadFromString(Files.readString(path));
    if (!(root instanceof List<?> list) || list.isEmpty()) {
      fault("no list (expected: a list of maps)");
      return List.of();
    }
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < list.size(); i++) {
      add(entries, setting + ", entry " + (i + 1), list.get(i));
    }
    return entries;
  }

  private void add(List<Entry> entries, String where, Object value) {
    if (!(value instanceof Map<?, ?> map)) {
      faults.add(where + ": no map (expected: " + String.join(", ", keys) + ")");
      return;
    }
    for (Object key : map.keySet()) {
      if (!keys.contains(String.valueOf(key))) {
        faults.add(where + ": " + key + ": unknown (expected: " + String.join(", ", keys) + ")");
      }
    }
    entries.add(new Entry(where, map));
  }

  private void fault(String what) {
    faults.add(setting + ": " + path + ": " + what);
  }
}
