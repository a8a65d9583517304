package dev.idgen.cli;

import dev.idgen.server.config.Config;
import dev.idgen.server.config.ConfigLoader;
import dev.idgen.server.config.Setting;
import dev.idgen.server.config.Settings;
import dev.idgen.time.TimeSource;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** The settings as flags of a command. */
final class SettingFlags {
  private SettingFlags() {}

  /** Gives a command one flag for each setting. */
  static void addTo(CommandSpec command) {
    for (Setting<?> setting : Settings.ALL) {
      boolean isSwitch = setting.type().name().equals("switch");
      OptionSpec.Builder option =
          OptionSpec.builder(setting.flag())
              .type(String.class)
              .arity(isSwitch ? "0..1" : "1")
              .paramLabel("<" + setting.type().name() + ">")
              .description(description(setting));
      if (isSwitch) {
        option.fallbackValue("true");
      }
      command.addOption(option.build());
    }
  }

  private static String description(Setting<?> setting) {
    String plain = setting.plainEnv() == null ? "" : "; also " + setting.plainEnv();
    return (setting.doc()
            + ": "
            + setting.type().range()
            + plain
            + " ["
            + setting.defaultText()
            + "]")
        .replace("%", "%%");
  }

  /**
   * The settings that file, environment and the given flags make.
   *
   * @throws dev.idgen.server.config.ConfigException something is wrong with them
   */
  static Config load(ParseResult parsed) {
    Map<String, String> flags = new LinkedHashMap<>();
    for (Setting<?> setting : Settings.ALL) {
      if (parsed.hasMatchedOption(setting.flag())) {
        flags.put(setting.key(), parsed.matchedOptionValue(setting.flag(), ""));
      }
    }
    return load(flags);
  }

  /** The settings that file, environment and the given texts by key make. */
  static Config load(Map<String, String> flags) {
    return ConfigLoader.load(System.getenv(), flags, Path.of(""), TimeSource.system().wallMillis());
  }
}
