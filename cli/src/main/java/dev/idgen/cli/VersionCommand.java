package dev.idgen.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Tells which version this is. */
@Command(
    name = "version",
    description = "Tells which version this is.",
    mixinStandardHelpOptions = true)
final class VersionCommand implements Callable<Integer> {
  @Override
  public Integer call() {
    System.out.println(text());
    return ExitStatus.OK;
  }

  static String text() {
    String version = VersionCommand.class.getPackage().getImplementationVersion();
    return "idgen "
        + (version == null ? "development" : version)
        + " (Java "
        + Runtime.version()
        + ")";
  }
}
