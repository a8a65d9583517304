package dev.idgen.cli;

import dev.idgen.server.config.Config;
import dev.idgen.server.json.JsonOut;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What is set, and where. */
@Command(name = "config", description = "What is set, and where.", mixinStandardHelpOptions = true)
final class ConfigCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create(); // replaced by the one in use

  @Override
  public Integer call() {
    throw new ParameterException(spec.commandLine(), "Missing command: show");
  }

  /** Prints every setting that has a value. */
  @Command(
      name = "show",
      description = "Prints every setting that has a value, and where it was set.",
      mixinStandardHelpOptions = true,
      sortOptions = false)
  static final class Show implements Callable<Integer> {
    @Option(
        names = {"-o", "--output"},
        paramLabel = "<format>",
        description = "text or json [text]")
    private OutputFormat output = OutputFormat.TEXT;

    @Spec private CommandSpec spec = CommandSpec.create(); // replaced by the one in use

    @Override
    public Integer call() {
      Config config = SettingFlags.load(spec.commandLine().getParseResult());
      System.out.println(output == OutputFormat.JSON ? json(config) : text(config));
      return ExitStatus.OK;
    }

    private static String text(Config config) {
      int keys = 0;
      int values = 0;
      for (Config.Entry<?> entry : config.entries()) {
        keys = Math.max(keys, entry.setting().key().length());
        values = Math.max(values, entry.shown().length());
      }
      StringBuilder text = new StringBuilder();
      for (Config.Entry<?> entry : config.entries()) {
        String line =
            padded(entry.setting().key(), keys)
                + padded(entry.shown(), values)
                + padded(entry.origin().word(), 7)
                + entry.name();
        text.append(line.stripTrailing()).append('\n');
      }
      return text.toString().stripTrailing();
    }

    private static String padded(String text, int width) {
      return text + " ".repeat(width - text.length() + 2);
    }

    private static String json(Config config) {
      JsonOut out = new JsonOut(4096).beginObject();
      for (Config.Entry<?> entry : config.entries()) {
        out.name(entry.setting().key()).beginObject();
        out.name("value").text(entry.shown()).name("origin").text(entry.origin().word());
        if (!entry.name().isEmpty()) {
          out.name("from").text(entry.name());
        }
        out.endObject();
      }
      return out.endObject().toString();
    }
  }
}
