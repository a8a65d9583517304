package dev.idgen.cli;

import dev.idgen.server.main.ServerProcess;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Serves ids until it is told to stop. */
@Command(
    name = "serve",
    description = "Serves ids until it is told to stop.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footer = {
      "",
      "Each flag --a-b is also a-b or a.b in idgen.yaml, and IDGEN_A_B in the environment;",
      "flags win over the environment, the environment over the file.",
      "Without any it listens on 127.0.0.1:8080 and keeps its state in ./data."
    })
final class ServeCommand implements Callable<Integer> {
  /** Set by the start script, which can tell; Java 17 cannot for stdout alone. */
  private static final String TERMINAL = "idgen.stdout.terminal";

  @Spec private CommandSpec spec = CommandSpec.create(); // replaced by the one in use

  @Override
  public Integer call() {
    return ServerProcess.run(
        SettingFlags.load(spec.commandLine().getParseResult()),
        Boolean.getBoolean(TERMINAL),
        System.err);
  }
}
