package dev.idgen.checks.jmh;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Locale.ROOT;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs measurements, each fork in a process of its own, all of a group in turn. */
final class Lab {
  /** A heap whose pages are there already: else the first seconds measure how it grows. */
  static final List<String> FLAGS = List.of("-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch");

  private static final int LONGER = 5;
  private static final String ALLOCATED = "gc.alloc.rate.norm";

  private final Pace pace;

  Lab(Pace pace) {
    this.pace = pace;
  }

  /**
   * One JMH method with one subject.
   *
   * @param title how it is called in the table
   * @param owner class of the method
   * @param method its name
   * @param subject value of the parameter {@code subject}, or empty
   * @param threads how many call it
   */
  record Test(String title, Class<?> owner, String method, String subject, int threads) {}

  /** Measures a group: first each test once, then each once more, and so on. */
  Map<String, Reading> measure(List<Test> group) {
    Map<String, List<Double>> scores = new LinkedHashMap<>();
    for (int fork = 0; fork < pace.forks(); fork++) {
      for (Test test : group) {
        double score = run(test, options(test)).getPrimaryResult().getScore();
        scores.computeIfAbsent(test.title(), title -> new ArrayList<>()).add(score);
        progress(test.title(), test.threads(), score);
      }
    }
    Map<String, Reading> readings = new LinkedHashMap<>();
    scores.forEach((title, all) -> readings.put(title, new Reading(title, all)));
    return readings;
  }

  /** Bytes allocated for each operation, in one fork. */
  double allocated(Test test) {
    RunResult result = run(test, options(test).addProfiler(GCProfiler.class));
    Result<?> allocated = result.getSecondaryResults().get(ALLOCATED);
    if (allocated == null) {
      throw new IllegalStateException(ALLOCATED + ": missing (expected: of " + test + ")");
    }
    double bytes = allocated.getScore();
    progress(test.title(), test.threads(), bytes);
    return bytes;
  }

  private ChainedOptionsBuilder options(Test test) {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include("^" + Pattern.quote(test.owner().getName() + "." + test.method()) + "$")
            .threads(test.threads())
            .forks(1)
            .jvmArgs(FLAGS.toArray(String[]::new))
            .warmupIterations(1)
            .warmupTime(TimeValue.milliseconds(pace.warmupMs()))
            .measurementIterations(pace.iterations())
            .measurementTime(TimeValue.milliseconds(pace.iterationMs()))
            .verbosity(VerboseMode.SILENT)
            .shouldFailOnError(true);
    return test.subject().isEmpty() ? options : options.param("subject", test.subject());
  }

  private static RunResult run(Test test, ChainedOptionsBuilder options) {
    try {
      return new Runner(options.build()).runSingle();
    } catch (RunnerException e) {
      throw new IllegalStateException("benchmark: " + test + " failed", e);
    }
  }

  /**
   * What a {@link CapRun} found.
   *
   * @param rate ids per second
   * @param processors processors used
   * @param slowMillis 99.99th percentile of a take; 0 where takes were not timed
   */
  record Cap(Reading rate, Reading processors, Reading slowMillis) {}

  /**
   * One subject at the layout's cap.
   *
   * @param timed whether each take is timed; that costs processor time
   */
  record CapTest(LongSubject subject, int threads, boolean timed) {
    String title() {
      return subject.title() + (timed ? ", each take timed" : "");
    }
  }

  /** Measures a group at the cap of its layout, each test in turn, and so on. */
  Map<CapTest, Cap> measureAtCap(List<CapTest> group) {
    Map<CapTest, List<double[]>> all = new LinkedHashMap<>();
    for (int fork = 0; fork < pace.forks(); fork++) {
      for (CapTest test : group) {
        double[] found = runAtCap(test);
        all.computeIfAbsent(test, t -> new ArrayList<>()).add(found);
        progress(test.title() + " at the cap", test.threads(), found[0]);
      }
    }
    Map<CapTest, Cap> caps = new LinkedHashMap<>();
    all.forEach((test, found) -> caps.put(test, cap(test.title(), found)));
    return caps;
  }

  private static Cap cap(String title, List<double[]> found) {
    return new Cap(
        new Reading(title, found.stream().map(f -> f[0]).toList()),
        new Reading(title, found.stream().map(f -> f[1]).toList()),
        new Reading(title, found.stream().map(f -> f[2] / 1e6).toList()));
  }

  private double[] runAtCap(CapTest test) {
    List<String> arguments = new ArrayList<>();
    arguments.add(test.subject().name());
    arguments.add(String.valueOf(test.threads()));
    arguments.add(String.valueOf(pace.iterations() * pace.iterationMs()));
    if (test.timed()) {
      arguments.add("timed");
    }
    return fork(CapRun.class, "cap", arguments);
  }

  /**
   * Runs a program of ours, each fork in a process of its own.
   *
   * @param main prints one line: the word, then numbers
   * @param titles of the numbers, in their order
   * @return what was read, by title
   */
  Map<String, Reading> measure(
      Class<?> main, String word, List<String> arguments, List<String> titles) {
    List<double[]> all = new ArrayList<>();
    for (int fork = 0; fork < pace.forks(); fork++) {
      double[] found = fork(main, word, arguments);
      all.add(found);
      progress(word + " " + String.join(" ", arguments), 1, found[0]);
    }
    Map<String, Reading> readings = new LinkedHashMap<>();
    for (int i = 0; i < titles.size(); i++) {
      int column = i;
      String title = titles.get(i);
      readings.put(title, new Reading(title, all.stream().map(f -> f[column]).toList()));
    }
    return readings;
  }

  /** How long a program of ours measures that has a server to talk to. */
  int longMillis() {
    return LONGER * pace.iterations() * pace.iterationMs();
  }

  private static double[] fork(Class<?> main, String word, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(FLAGS);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(arguments);
    String numbers = output(command, word + " ").substring(word.length());
    return Arrays.stream(numbers.strip().split(" ")).mapToDouble(Double::parseDouble).toArray();
  }

  private static String output(List<String> command, String prefix) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String output = new String(process.getInputStream().readAllBytes(), UTF_8);
      String found = output.lines().filter(line -> line.startsWith(prefix)).findFirst().orElse("");
      if (process.waitFor() != 0 || found.isEmpty()) {
        throw new IllegalStateException(command + " failed: " + output);
      }
      return found;
    } catch (IOException e) {
      throw new IllegalStateException(command + " failed", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(command + ": interrupted", e);
    }
  }

  private static void progress(String title, int threads, double score) {
    System.err.printf(ROOT, "%-40s %d threads %,18.1f%n", title, threads, score);
  }
}
