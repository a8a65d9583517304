package dev.idgen.server.config;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Merges defaults, file, environment and flags. Collects every fault before it refuses.
 *
 * <p>Used once, by one thread.
 */
public final class ConfigLoader {
  private static final String PREFIX = "IDGEN_";

  /** Read by the start script and by commands that call a server, not by the server. */
  private static final Set<String> OF_OTHERS = Set.of("IDGEN_JAVA_OPTS", "IDGEN_TOKEN");

  /** What Kubernetes sets in every pod beside a service whose name begins with "idgen". */
  private static final Pattern SERVICE_LINK =
      Pattern.compile(
          "IDGEN_(\\w+_)?(SERVICE_HOST|SERVICE_PORT(_\\w+)?|PORT_\\d+_(TCP|UDP|SCTP)(_\\w+)?)");

  private static final Pattern SERVICE_URL = Pattern.compile("(tcp|udp|sctp)://.*");

  private final Map<String, String> env;
  private final Map<String, String> flags;
  private final Path folder;
  private final long nowMillis;
  private final List<String> faults = new ArrayList<>();
  private final Map<Setting<?>, Source> sources = new HashMap<>();
  private final Config config = new Config();

  private ConfigLoader(
      Map<String, String> env, Map<String, String> flags, Path folder, long nowMillis) {
    this.env = new TreeMap<>(env);
    this.flags = flags;
    this.folder = folder;
    this.nowMillis = nowMillis;
  }

  /**
   * The settings of this process.
   *
   * @param env the environment
   * @param flags texts by key, without the leading dashes of the flag
   * @param folder where {@code idgen.yaml} is looked for
   * @param nowMillis the present, in milliseconds since 1970: a layout must not be at its end
   * @throws ConfigException something is wrong; names every fault
   */
  public static Config load(
      Map<String, String> env, Map<String, String> flags, Path folder, long nowMillis) {
    return new ConfigLoader(env, flags, folder, nowMillis).load();
  }

  private Config load() {
    readFile();
    readEnv();
    readFlags();
    Settings.ALL.forEach(this::resolve);
    if (faults.isEmpty()) {
      ConfigRules.check(config, nowMillis, faults);
    }
    if (!faults.isEmpty()) {
      throw new ConfigException(faults);
    }
    return config;
  }

  private void readFile() {
    Path path = filePath();
    if (path == null) {
      return;
    }
    Map<String, Setting<?>> byKey = new LinkedHashMap<>();
    Settings.ALL.forEach(setting -> byKey.put(setting.key(), setting));
    byKey.remove(Settings.CONFIG.key());
    ConfigFile.read(path, faults)
        .forEach(
            (key, text) -> {
              Setting<?> setting = byKey.get(key);
              if (setting == null) {
                faults.add(key + ": unknown setting in " + path);
              } else {
                sources.put(setting, new Source(text, Origin.FILE, path + ": " + key));
              }
            });
  }

  /** The settings file: the one that was asked for, else the usual one if it is there. */
  private @Nullable Path filePath() {
    String asked = flags.getOrDefault(Settings.CONFIG.key(), env.get(Settings.CONFIG.env()));
    try {
      if (asked != null) {
        return folder.resolve(asked);
      }
    } catch (InvalidPathException e) {
      return null; // resolve() reports it with the other faults
    }
    Path usual = folder.resolve("idgen.yaml");
    return Files.exists(usual) ? usual : null;
  }

  private void readEnv() {
    Map<String, Setting<?>> byName = new HashMap<>();
    Settings.ALL.forEach(setting -> byName.put(setting.env(), setting));
    for (Setting<?> setting : Settings.ALL) {
      String plain = setting.plainEnv();
      if (plain != null && env.containsKey(plain)) {
        config.give(plain);
        sources.put(setting, new Source(env.get(plain), Origin.ENV, plain));
      }
    }
    env.forEach(
        (name, text) -> {
          Setting<?> setting = byName.get(name);
          if (setting != null) {
            sources.put(setting, new Source(text, Origin.ENV, name));
          } else if (name.startsWith(PREFIX) && !isForeign(name, text)) {
            faults.add(name + ": unknown setting in the environment");
          }
        });
  }

  private static boolean isForeign(String name, String text) {
    return OF_OTHERS.contains(name)
        || SERVICE_LINK.matcher(name).matches()
        || (name.endsWith("PORT") && SERVICE_URL.matcher(text).matches());
  }

  private void readFlags() {
    Map<String, Setting<?>> byKey = new HashMap<>();
    Settings.ALL.forEach(setting -> byKey.put(setting.key(), setting));
    flags.forEach(
        (key, text) -> {
          Setting<?> setting = byKey.get(key);
          if (setting == null) {
            faults.add("--" + key + ": unknown setting");
          } else {
            sources.put(setting, new Source(text, Origin.FLAG, setting.flag()));
          }
        });
  }

  private void resolve(Setting<?> setting) {
    Source source = sources.get(setting);
    if (source == null) {
      resolveDefault(setting);
      return;
    }
    try {
      config.put(setting, source.text(), source.origin(), source.name());
    } catch (IllegalArgumentException e) {
      faults.add(
          source.name()
              + ": "
              + Setting.shown(source.text())
              + " (expected: "
              + setting.type().range()
              + ")");
      resolveDefault(setting); // so that the settings below can be checked as well
    }
  }

  private void resolveDefault(Setting<?> setting) {
    String text = setting.defaultFor(config);
    if (text != null) {
      config.put(setting, text, Origin.DEFAULT, "");
    }
  }

  private record Source(String text, Origin origin, String name) {}
}
