package dev.idgen.check.mutants;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.check.simulation.Campaign;
import dev.idgen.check.simulation.SegmentCampaign;
import dev.idgen.check.simulation.TagCampaign;
import dev.idgen.layout.Layout;
import dev.idgen.server.service.TagWatch;
import dev.idgen.snowflake.LeaseRaces;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each planted fault must be found, and the engine as it is must pass the very same checks. */
class FaultsTest {
  private static final Path WORK = Path.of("target", "planted");
  private static final int SEEDS = 400;
  private static final int TAG_SEEDS = 2_000; // some faults need many things to meet
  private static final int WALKS = 200;
  private static final int INVOCATIONS = 1_000;
  private static final long RACE_LIMIT_SECONDS = 180;

  @ParameterizedTest
  @EnumSource
  void fault_planted_isFound(Fault fault) throws Exception {
    Path into = WORK.resolve(fault.name());
    Planting.clear(into);
    String against =
        String.join(
            File.pathSeparator,
            location(Layout.class).toString(),
            location(TagWatch.class).toString(),
            location(NullMarked.class).toString());
    Path classes = Planting.plant(fault, into, against);
    String found = find(fault.finder(), classes, into);
    Files.writeString(into.resolve("found.txt"), found);
    assertTrue(!found.isEmpty(), () -> fault + ": survived its check (expected: to be found)");
  }

  /** What is found is the fault, not the loader or the copy. */
  @Test
  void engine_asItIs_passesWhatFindsTheFaults() throws Exception {
    Path none = Files.createDirectories(WORK.resolve("none"));
    assertEquals("", walk(none, 20));
    assertEquals("", campaign(none, Campaign.class, 20));
    assertEquals("", campaign(none, SegmentCampaign.class, 20));
    assertEquals("", campaign(none, TagCampaign.class, 20));
    assertEquals("", scenario(none, Fault.Finder.SCENARIO_WAKING.part()));
    assertEquals("", scenario(none, Fault.Finder.SCENARIO_GENERATION.part()));
  }

  @Test
  void plant_anchorThatIsGone_failsLoudly() {
    Fault fault = Fault.CLOSE_BY_GET_AND_SET;
    var gone = new Fault.Edit("snowflake/Lease", "no such words", "");
    var e = assertThrows(IllegalStateException.class, () -> Planting.replaced("text", gone));
    assertEquals(
        "snowflake/Lease: anchor found 0 times (expected: once): no such words", e.getMessage());
    assertTrue(!fault.edits().isEmpty());
  }

  private static String find(Fault.Finder finder, Path classes, Path into) throws Exception {
    return switch (finder) {
      case WALK -> walk(classes, WALKS);
      case CAMPAIGN -> campaign(classes, Campaign.class, SEEDS);
      case SEGMENTS -> campaign(classes, SegmentCampaign.class, SEEDS);
      case TAGS -> campaign(classes, TagCampaign.class, TAG_SEEDS);
      case RACE_CLOSE, RACE_RAISE, RACE_SWITCH -> race(classes, into, finder.part());
      case SCENARIO_WAKING, SCENARIO_GENERATION -> scenario(classes, finder.part());
    };
  }

  private static String walk(Path classes, int seeds) throws Exception {
    try (URLClassLoader loader = loader(classes)) {
      Class<?> walk = loader.loadClass("dev.idgen.check.simulation.ClockWalk");
      Method run = walk.getMethod("run", long.class);
      for (long seed = 1; seed <= seeds; seed++) {
        try {
          run.invoke(null, seed);
        } catch (InvocationTargetException e) {
          return "seed " + seed + ": " + e.getCause();
        }
      }
      return "";
    }
  }

  private static String scenario(Path classes, String name) throws Exception {
    try (URLClassLoader loader = loader(classes)) {
      Class<?> scenarios = loader.loadClass("dev.idgen.check.simulation.Scenarios");
      scenarios.getMethod(name).invoke(null);
      return "";
    } catch (InvocationTargetException e) {
      return String.valueOf(e.getCause());
    }
  }

  private static String campaign(Path classes, Class<?> kind, int seeds) throws Exception {
    try (URLClassLoader loader = loader(classes)) {
      Method failure = loader.loadClass(kind.getName()).getMethod("failure", long.class);
      for (long seed = 1; seed <= seeds; seed++) {
        String text = (String) failure.invoke(null, seed);
        if (!text.isEmpty()) {
          return "seed " + seed + ": " + text;
        }
      }
      return "";
    }
  }

  /** The changed classes, then engines and server, then the checks: a world of their own. */
  private static URLClassLoader loader(Path classes) throws Exception {
    URL[] urls = {
      classes.toUri().toURL(),
      location(Layout.class).toUri().toURL(),
      location(TagWatch.class).toUri().toURL(),
      location(Class.forName("io.github.bucket4j.Bucket")).toUri().toURL(),
      location(Campaign.class).toUri().toURL()
    };
    return new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
  }

  /** The model checker changes classes as they are loaded, so it has a process of its own. */
  private static String race(Path classes, Path into, String name)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:+EnableDynamicAgentLoading");
    command.add("-XX:+IgnoreUnrecognizedVMOptions");
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-cp");
    command.add(
        classes.toAbsolutePath() + File.pathSeparator + System.getProperty("java.class.path"));
    command.add(LeaseRaces.class.getName());
    command.add(String.valueOf(INVOCATIONS));
    command.add(name);
    Path log = into.resolve("race.txt");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    if (!process.waitFor(RACE_LIMIT_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IllegalStateException("race " + name + ": no end (expected: within the limit)");
    }
    String said = Files.readString(log);
    assertTrue(process.exitValue() == 0 || said.contains("LincheckAssertionError"), said);
    return process.exitValue() == 0 ? "" : said;
  }

  private static Path location(Class<?> of) {
    try {
      return Path.of(of.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
