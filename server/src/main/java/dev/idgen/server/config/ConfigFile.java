package dev.idgen.server.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** Reads the settings file: YAML whose nested maps become dotted keys. */
final class ConfigFile {
  private static final long MAX_BYTES = 1 << 20;
  private static final int MAX_DEPTH = 8;

  private final Map<String, String> values = new LinkedHashMap<>();
  private final List<String> faults;

  private ConfigFile(List<String> faults) {
    this.faults = faults;
  }

  /**
   * The texts of all keys.
   *
   * @param faults receives what is wrong with the file
   */
  static Map<String, String> read(Path path, List<String> faults) {
    ConfigFile file = new ConfigFile(faults);
    try {
      file.readInto(path);
    } catch (IOException e) {
      faults.add(path + ": unreadable (expected: a YAML file): " + e.getMessage());
    } catch (YamlEngineException e) {
      faults.add(
          path + ": no YAML: " + String.valueOf(e.getMessage()).replaceAll("\\s+", " ").strip());
    }
    return file.values;
  }

  private void readInto(Path path) throws IOException {
    if (Files.size(path) > MAX_BYTES) {
      faults.add(path + ": " + Files.size(path) + " bytes (expected: at most " + MAX_BYTES + ")");
      return;
    }
    LoadSettings settings =
        LoadSettings.builder().setLabel(path.toString()).setAllowDuplicateKeys(false).build();
    Object root = new Load(settings).loadFromString(Files.readString(path));
    if (root instanceof Map<?, ?> map) {
      flatten("", map, 1);
    } else if (root != null) {
      faults.add(path + ": one value (expected: keys with values)");
    }
  }

  private void flatten(String prefix, Map<?, ?> map, int depth) {
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      String key = prefix + entry.getKey();
      Object value = entry.getValue();
      if (value instanceof Map<?, ?> nested && depth < MAX_DEPTH) {
        flatten(key + ".", nested, depth + 1);
      } else if (value == null || value instanceof Map || value instanceof Iterable) {
        faults.add(key + ": " + kindOf(value) + " (expected: one value)");
      } else if (values.put(key, value.toString()) != null) {
        faults.add(key + ": given twice (expected: once)");
      }
    }
  }

  private static String kindOf(Object value) {
    return value == null ? "empty" : value instanceof Map ? "a map" : "a list";
  }
}
