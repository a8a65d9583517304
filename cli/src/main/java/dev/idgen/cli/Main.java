package dev.idgen.cli;

import dev.idgen.server.config.ConfigException;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command, and where it begins. */
@Command(
    name = "idgen",
    description = "Unique ids: a server, and what goes with it.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    footer = {
      "",
      "Exit status: 0 ok, 1 failed, 2 wrong use or settings, 3 server not available, 4 not found."
    })
public final class Main implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create(); // replaced by the one in use

  private Main() {}

  /** Runs one command and ends the process with its status. */
  public static void main(String[] arguments) {
    System.exit(run(arguments));
  }

  static int run(String... arguments) {
    boolean serve = arguments.length > 0 && arguments[0].equals("serve");
    CommandLine line = serve ? serve() : anyCommand();
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setExecutionExceptionHandler((failure, at, parsed) -> explain(failure, at.getErr()));
    line.setParameterExceptionHandler((failure, given) -> usage(failure));
    return line.execute(serve ? Arrays.copyOfRange(arguments, 1, arguments.length) : arguments);
  }

  /** Alone, without its siblings: a server is to be there soon. */
  private static CommandLine serve() {
    return withSettings(new ServeCommand()).setCommandName("idgen serve");
  }

  private static CommandLine anyCommand() {
    CommandLine config = new CommandLine(new ConfigCommand());
    config.addSubcommand(withSettings(new ConfigCommand.Show()));
    return new CommandLine(new Main())
        .addSubcommand(withSettings(new ServeCommand()))
        .addSubcommand(new NextCommand())
        .addSubcommand(new InspectCommand())
        .addSubcommand(config)
        .addSubcommand(withSettings(new FenceCommand()))
        .addSubcommand(new VersionCommand())
        .addSubcommand(new CommandLine.HelpCommand());
  }

  private static CommandLine withSettings(Object command) {
    CommandLine line = new CommandLine(command);
    SettingFlags.addTo(line.getCommandSpec());
    return line;
  }

  /** In a line or two: the whole help would push the reason off the screen. */
  private static int usage(ParameterException failure) {
    CommandLine at = failure.getCommandLine();
    PrintWriter err = at.getErr();
    err.println("idgen: " + failure.getMessage());
    CommandLine.UnmatchedArgumentException.printSuggestions(failure, err);
    if (at.getSubcommands().isEmpty()) {
      err.println("See " + at.getCommandSpec().qualifiedName() + " --help");
    } else {
      at.usage(err);
    }
    return ExitStatus.USAGE;
  }

  private static int explain(Exception failure, PrintWriter err) {
    if (failure instanceof ConfigException settings) {
      settings.faults().forEach(fault -> err.println("idgen: " + fault));
      return ExitStatus.USAGE;
    }
    if (failure instanceof CommandException refusal) {
      err.println("idgen: " + refusal.getMessage());
      return refusal.status();
    }
    failure.printStackTrace(err);
    return ExitStatus.FAILED;
  }

  @Override
  public Integer call() {
    throw new ParameterException(spec.commandLine(), "Missing command");
  }

  /** What {@code --version} prints. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {VersionCommand.text()};
    }
  }
}
