package dev.idgen.checks.jmh;

import static java.util.Locale.ROOT;

import dev.idgen.checks.jmh.Lab.Cap;
import dev.idgen.checks.jmh.Lab.CapTest;
import dev.idgen.checks.jmh.Lab.Test;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.stream.Stream;

/**
 * Runs all comparisons, side by side, and prints them as tables: first what is wanted and what is
 * reached, lost lines too, then every reading. {@code --quick} is for development: one fork, short.
 */
public final class Bench {
  private static final List<String> PARTS =
      List.of(
          "snowflake", "segment", "uuid", "ulid", "texts", "cap", "garbage", "sequence", "tags");
  private static final double CAP = 4_096_000;
  private static final double CAP_SHARE = 0.995;
  private static final double SLOW_MILLIS_MAX = 2.5;
  private static final int CALLERS = 256;
  private static final int TAGS = 10_000;
  private static final double TAG_BYTES_MAX = 2_048;

  private final Lab lab;
  private final List<Verdict> verdicts = new ArrayList<>();
  private final List<String> details = new ArrayList<>();

  private Bench(Lab lab) {
    this.lab = lab;
  }

  /**
   * Prints the tables to standard output, progress to standard error.
   *
   * @param args {@code --quick} or nothing, then names of parts; none: all of them
   */
  public static void main(String[] args) {
    List<String> parts = new ArrayList<>(List.of(args));
    Pace pace = parts.remove("--quick") ? Pace.QUICK : Pace.FULL;
    if (!PARTS.containsAll(parts)) {
      throw new IllegalArgumentException(
          "arguments: "
              + String.join(" ", args)
              + " (expected: --quick or not, then of "
              + PARTS
              + ")");
    }
    Bench bench = new Bench(new Lab(pace));
    (parts.isEmpty() ? PARTS : parts).forEach(bench::run);
    System.out.println(Surroundings.describe(("./bench " + String.join(" ", args)).strip(), pace));
    bench.print();
  }

  private void run(String part) {
    switch (part) {
      case "snowflake" -> twice(this::singleIds);
      case "segment" -> twice(this::segments);
      case "uuid" -> twice(this::uuids);
      case "ulid" -> twice(this::ulids);
      case "texts" -> texts();
      case "cap" -> atTheCap();
      case "garbage" -> garbage();
      case "sequence" -> sequence();
      case "tags" -> tags();
      default -> throw new IllegalArgumentException(part);
    }
  }

  private static void twice(IntConsumer measurement) {
    measurement.accept(1);
    measurement.accept(2);
  }

  private void print() {
    System.out.println("| work | threads | ours | against | ratio | wanted | |");
    System.out.println("|---|---|---|---|---|---|---|");
    verdicts.forEach(verdict -> System.out.println(verdict.markdown()));
    System.out.println();
    System.out.println("| measured | threads | median | error |");
    System.out.println("|---|---|---|---|");
    details.forEach(System.out::println);
  }

  // ---- snowflake

  private void singleIds(int threads) {
    List<Test> tests = new ArrayList<>();
    for (LongSubject subject : LongSubject.values()) {
      if (subject.allows(Width.WIDE)) {
        tests.add(new Test(subject.title(), LongTakes.class, "take", subject.name(), threads));
      }
    }
    if (threads == 1) {
      for (String method : List.of("fill", "next", "runs", "shardingSphere")) {
        tests.add(new Test("1,000 ids, " + method, BatchTakes.class, method, "", threads));
      }
    }
    Map<String, Reading> found = lab.measure(tests);
    record("snowflake 41/0/22, ", "M ids/s", 1e-6, threads, found.values());
    Reading floor = of(found, LongSubject.FLOOR_CLOCK.title());
    Reading fastest =
        fastest(
            Stream.of(LongSubject.values())
                .filter(subject -> subject.peer() && subject.allows(Width.WIDE))
                .map(subject -> of(found, subject.title())));
    Reading precise = of(found, LongSubject.IDGEN.title());
    more("snowflake, clock read each time", threads, precise, floor, 0.95);
    more("snowflake, clock read each time", threads, precise, fastest, 1);
    Reading cached = of(found, LongSubject.IDGEN_CACHED.title());
    more("snowflake, cached clock", threads, cached, fastest, threads == 1 ? 5 : 3);
    if (threads == 1) {
      more("snowflake, fill(long[1000])", 1, of(found, "1,000 ids, fill"), fastest, 25);
      more("snowflake, 1,000 as runs", 1, of(found, "1,000 ids, runs"), fastest, 100);
    }
  }

  private void atTheCap() {
    List<CapTest> tests = new ArrayList<>();
    CapTest one = new CapTest(LongSubject.IDGEN, 1, false);
    CapTest four = new CapTest(LongSubject.IDGEN, 4, false);
    CapTest timed = new CapTest(LongSubject.IDGEN, 4, true);
    tests.addAll(List.of(one, new CapTest(LongSubject.IDGEN_CACHED, 1, false), four, timed));
    for (LongSubject subject : LongSubject.values()) {
      if (subject.peer() && subject.allows(Width.STANDARD)) {
        tests.add(new CapTest(subject, 1, false));
      }
    }
    Map<CapTest, Cap> found = lab.measureAtCap(tests);
    found.forEach(this::recordCap);
    Reading leastBusy =
        found.entrySet().stream()
            .filter(entry -> entry.getKey().subject().spins())
            .map(entry -> entry.getValue().processors())
            .min(Comparator.comparingDouble(Reading::median))
            .orElseThrow();
    Reading cap = new Reading("the cap of 41/10/12", List.of(CAP));
    more("snowflake at the cap, ids", 1, of(found, one).rate(), cap, CAP_SHARE);
    more("snowflake at the cap, ids", 4, of(found, four).rate(), cap, CAP_SHARE);
    less("snowflake at the cap, processors", 1, "", 1, of(found, one).processors(), leastBusy, 0.5);
    Reading bound = new Reading("the bound", List.of(SLOW_MILLIS_MAX));
    less("snowflake at the cap, p99.99", 4, "ms", 1, of(found, timed).slowMillis(), bound, 1);
  }

  private void recordCap(CapTest test, Cap cap) {
    details.add(
        String.format(
            ROOT,
            "| 41/10/12 at the cap, %s | %d | %.4g M ids/s, %.3g processors%s | %.1f %% |",
            test.title(),
            test.threads(),
            cap.rate().median() / 1e6,
            cap.processors().median(),
            test.timed() ? String.format(ROOT, ", p99.99 %.3g ms", cap.slowMillis().median()) : "",
            cap.rate().error() * 100));
  }

  // ---- segments

  private void segments(int threads) {
    List<Test> tests = new ArrayList<>();
    LongSubject floor = LongSubject.FLOOR_ADD;
    tests.add(new Test(floor.title(), LongTakes.class, "take", floor.name(), threads));
    for (SegmentSubject subject : SegmentSubject.values()) {
      tests.add(new Test(subject.title(), SegmentTakes.class, "take", subject.name(), threads));
    }
    Map<String, Reading> found = lab.measure(tests);
    record("segment, ", "M ids/s", 1e-6, threads, found.values());
    Reading fastest =
        fastest(
            Stream.of(SegmentSubject.values())
                .filter(SegmentSubject::peer)
                .map(subject -> of(found, subject.title())));
    more("segment", threads, of(found, SegmentSubject.IDGEN.title()), fastest, 1.3);
    Reading blocks = of(found, SegmentSubject.IDGEN_BLOCKS.title());
    more("segment, blocks of 64 for each thread", threads, blocks, fastest, 4);
  }

  /** The baseline in its better form: over one connection, or over many that wait for one row. */
  private void sequence() {
    String engine = "sequence engine";
    String single = "a transaction for each id";
    String spread = "a transaction for each id, 18 connections";
    String median = "sequence engine, p50 of a take";
    String slow = "sequence engine, p99 of a take";
    List<String> arguments = List.of(String.valueOf(CALLERS), String.valueOf(lab.longMillis()));
    Map<String, Reading> found =
        lab.measure(
            SequenceRun.class,
            "sequence",
            arguments,
            List.of(engine, single, spread, median, slow));
    Stream.of(engine, single, spread)
        .forEach(t -> record("PostgreSQL, ", "ids/s", 1, CALLERS, List.of(of(found, t))));
    Stream.of(median, slow)
        .forEach(t -> record("PostgreSQL, ", "ms", 1e-6, CALLERS, List.of(of(found, t))));
    Reading best = fastest(Stream.of(of(found, single), of(found, spread)));
    Reading ours = of(found, engine);
    verdicts.add(verdict("sequence, PostgreSQL", CALLERS, "ids/s", 1, ours, best, 20, false));
  }

  private void tags() {
    String bytes = "bytes of a tag";
    String threads = "threads of all tags";
    Map<String, Reading> found =
        lab.measure(TagRun.class, "tags", List.of("" + TAGS), List.of(bytes, threads));
    Reading bound = new Reading("the bound", List.of(TAG_BYTES_MAX));
    less("10,000 tags used once, each", 1, "bytes", 1, of(found, bytes), bound, 1);
    Reading each = new Reading("one for each", List.of((double) TAGS));
    less("10,000 tags used once, all", 1, "threads", 1, of(found, threads), each, 0.001);
  }

  // ---- wide ids

  private void uuids(int threads) {
    Map<String, Reading> found = objects("UUIDv7, ", "UUID_", threads);
    Reading fastest =
        fastest(
            Stream.of(
                    ObjectSubject.UUID_JUG,
                    ObjectSubject.UUID_CREATOR,
                    ObjectSubject.UUID_CREATOR_PLUS_1)
                .map(subject -> of(found, subject.title())));
    more("UUIDv7 in order", threads, of(found, ObjectSubject.UUID_IDGEN.title()), fastest, 1);
    Reading cached = of(found, ObjectSubject.UUID_IDGEN_CACHED.title());
    more("UUIDv7 in order, cached clock", threads, cached, fastest, 2);
  }

  private void ulids(int threads) {
    Map<String, Reading> found = objects("ULID as text, ", "ULID_", threads);
    Reading fastest =
        fastest(
            Stream.of(ObjectSubject.ULID_CREATOR, ObjectSubject.ULID_SULKY)
                .map(subject -> of(found, subject.title())));
    more(
        "ULID in order, as text", threads, of(found, ObjectSubject.ULID_IDGEN.title()), fastest, 1);
    Reading cached = of(found, ObjectSubject.ULID_IDGEN_CACHED.title());
    more("ULID in order, as text, cached clock", threads, cached, fastest, 1.5);
    if (threads == 1) {
      objects("as text, ", "KSUID", 1);
      objects("as text, ", "OBJECT_ID", 1);
    }
  }

  private Map<String, Reading> objects(String what, String prefix, int threads) {
    List<Test> tests =
        Arrays.stream(ObjectSubject.values())
            .filter(subject -> subject.name().startsWith(prefix))
            .map(s -> new Test(s.title(), ObjectTakes.class, "take", s.name(), threads))
            .toList();
    Map<String, Reading> found = lab.measure(tests);
    record(what, "M ids/s", 1e-6, threads, found.values());
    return found;
  }

  // ---- texts

  private void texts() {
    for (String method : List.of("encode", "decode")) {
      Map<String, Reading> crockford = texts("CROCKFORD_", "Crockford, ", method);
      slower("Crockford, 13 characters, " + method, crockford);
      Map<String, Reading> base62 = texts("BASE62_", "base 62, ", method);
      slower("base 62, 11 characters, " + method, base62);
    }
  }

  private Map<String, Reading> texts(String prefix, String what, String method) {
    List<Test> tests =
        Arrays.stream(TextSubject.values())
            .filter(subject -> subject.name().startsWith(prefix))
            .map(s -> new Test(s.title(), TextWork.class, method, s.name(), 1))
            .toList();
    Map<String, Reading> found = lab.measure(tests);
    record(what + method + ", ", "ns", 1, 1, found.values());
    return found;
  }

  private void slower(String work, Map<String, Reading> found) {
    Reading ours = of(found, "idgen");
    Reading fastest =
        found.values().stream()
            .filter(reading -> !reading.what().equals(ours.what()))
            .min(Comparator.comparingDouble(Reading::median))
            .orElseThrow();
    less(work, 1, "ns", 1, ours, fastest, 1);
  }

  // ---- garbage

  private void garbage() {
    for (LongSubject subject : List.of(LongSubject.IDGEN, LongSubject.IDGEN_CACHED)) {
      garbage(new Test(subject.title(), LongTakes.class, "take", subject.name(), 1));
    }
    garbage(new Test("idgen, fill(long[1000])", BatchTakes.class, "fill", "", 1));
    for (SegmentSubject subject : List.of(SegmentSubject.IDGEN, SegmentSubject.IDGEN_BLOCKS)) {
      String title = "segment, " + subject.title();
      garbage(new Test(title, SegmentTakes.class, "take", subject.name(), 1));
    }
  }

  /**
   * A byte in a hundred takes is the harness's own, and the timer's that ticks once a millisecond.
   */
  private void garbage(Test test) {
    Reading bytes = new Reading(test.title(), List.of(lab.allocated(test)));
    Reading bound = new Reading("0, to a hundredth of", List.of(1.0));
    less("garbage of a take, " + test.title(), 1, "bytes", 1, bytes, bound, 0.01);
  }

  // ---- the tables

  private void record(
      String what, String unit, double scale, int threads, Collection<Reading> readings) {
    for (Reading reading : readings) {
      details.add(
          String.format(
              ROOT,
              "| %s%s | %d | %.4g %s | %.1f %% |",
              what,
              reading.what(),
              threads,
              reading.median() * scale,
              unit,
              reading.error() * 100));
    }
  }

  private void more(String work, int threads, Reading ours, Reading against, double target) {
    verdicts.add(verdict(work, threads, "M ids/s", 1e-6, ours, against, target, false));
  }

  private void less(
      String work,
      int threads,
      String unit,
      double scale,
      Reading ours,
      Reading against,
      double target) {
    verdicts.add(verdict(work, threads, unit, scale, ours, against, target, true));
  }

  private static Verdict verdict(
      String work,
      int threads,
      String unit,
      double scale,
      Reading ours,
      Reading against,
      double target,
      boolean less) {
    return new Verdict(
        work,
        threads,
        String.format(ROOT, "%.4g %s", ours.median() * scale, unit).strip(),
        String.format(ROOT, "%s %.4g", against.what(), against.median() * scale),
        ours.median() / against.median(),
        ours.error() + against.error(),
        target,
        less);
  }

  private static Reading fastest(Stream<Reading> readings) {
    return readings.max(Comparator.comparingDouble(Reading::median)).orElseThrow();
  }

  private static <K, V> V of(Map<K, V> found, K key) {
    V value = found.get(key);
    if (value == null) {
      throw new IllegalStateException(key + ": not measured (expected: one of " + found.keySet());
    }
    return value;
  }
}
