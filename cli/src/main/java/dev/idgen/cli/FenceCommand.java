package dev.idgen.cli;

import dev.idgen.server.json.JsonOut;
import dev.idgen.server.log.LogOutput;
import dev.idgen.server.main.StoreFence;
import dev.idgen.store.StoreException;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Tells the store that acknowledged writes may be gone. */
@Command(
    name = "fence",
    description =
        "Tells the store that writes it had acknowledged may be gone: after a backup was put in"
            + " place, or a former primary came back. Ids of tags then begin above a gap, and new"
            + " claims rest until every lease that may have been lost has ended. Keep servers away"
            + " until it is done.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class FenceCommand implements Callable<Integer> {
  @Option(
      names = {"-o", "--output"},
      paramLabel = "<format>",
      description = "text or json [text]")
  private OutputFormat output = OutputFormat.TEXT;

  @Spec private CommandSpec spec = CommandSpec.create(); // replaced by the one in use

  @Override
  public Integer call() {
    LogOutput.install(false, Level.SEVERE); // what goes wrong is told once, and what goes well too
    try {
      print(StoreFence.raise(SettingFlags.load(spec.commandLine().getParseResult())));
      return ExitStatus.OK;
    } catch (StoreFence.RefusedException e) {
      throw new CommandException(
          e.unknownNamespace() ? ExitStatus.NOT_FOUND : ExitStatus.FAILED, e.getMessage() + "");
    } catch (StoreException e) {
      throw new CommandException(
          e.permanent() ? ExitStatus.FAILED : ExitStatus.UNAVAILABLE, e.getMessage() + "");
    }
  }

  private void print(StoreFence.Raised raised) {
    if (output == OutputFormat.JSON) {
      JsonOut out = new JsonOut(64).beginObject().name("fence").number(raised.number());
      System.out.println(out.name("claimsFrom").text(raised.floor().toString()).endObject());
    } else {
      System.out.println("fence " + raised.number() + ", claims begin at " + raised.floor());
    }
  }
}
