package dev.idgen.cli;

import dev.idgen.inspect.InspectException;
import dev.idgen.inspect.Inspection;
import dev.idgen.inspect.Inspector;
import dev.idgen.inspect.Reading;
import dev.idgen.inspect.ReadingField;
import dev.idgen.layout.Layout;
import dev.idgen.server.config.LayoutSettings;
import dev.idgen.server.json.InspectJson;
import dev.idgen.time.TimeSource;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Says what kind of id a text is. Asks no server. */
@Command(
    name = "inspect",
    description = "Says what kind of id a text is, and what its fields are. Asks no server.",
    mixinStandardHelpOptions = true)
final class InspectCommand implements Callable<Integer> {
  @Parameters(paramLabel = "TEXT", description = "an id: a number, a UUID, a ULID and so on")
  private String text = "";

  @Option(
      names = "--layout",
      paramLabel = "<layout>",
      description = "read it as this layout and no other: 41/10/12, twitter, discord ...")
  private @Nullable String layout;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "<format>",
      description = "text or json [text]")
  private OutputFormat output = OutputFormat.TEXT;

  @Override
  public Integer call() {
    Layout own = LayoutSettings.of(SettingFlags.load(Map.of()));
    try {
      print(own);
      return ExitStatus.OK;
    } catch (InspectException e) {
      throw new CommandException(ExitStatus.USAGE, String.valueOf(e.getMessage()));
    }
  }

  private void print(Layout own) {
    TimeSource time = TimeSource.system();
    if (output == OutputFormat.JSON) {
      System.out.println(new InspectJson(own, time).describe(text, layout));
      return;
    }
    Inspector inspector = Inspector.of(own);
    long now = time.wallMillis();
    Inspection inspection =
        layout == null ? inspector.inspect(text, now) : inspector.inspect(text, layout, now);
    List<Reading> readings = inspection.readings();
    print(System.out, readings.get(0));
    if (readings.size() > 1) {
      System.out.println("less likely:");
      readings.subList(1, readings.size()).forEach(reading -> printLine(System.out, reading));
    }
  }

  private static void printLine(PrintStream out, Reading reading) {
    String time = reading.time() == null ? "" : "  " + reading.time();
    out.println("  " + reading.score() + "  " + reading.kind() + time);
  }

  private static void print(PrintStream out, Reading reading) {
    out.println(reading.title() + "  (" + reading.kind() + ", " + reading.form() + ")");
    if (reading.time() != null) {
      out.println("  " + padded("time") + reading.time());
    }
    for (ReadingField field : reading.fields()) {
      String name = field.name().equals("time") ? "tick" : field.name();
      out.println("  " + padded(name) + field.value());
    }
    out.println("  " + padded("score") + reading.score() + ": " + reading.reason());
    if (!reading.note().isEmpty()) {
      out.println("  " + padded("note") + reading.note());
    }
  }

  private static String padded(String name) {
    return name + " ".repeat(Math.max(1, 11 - name.length()));
  }
}
