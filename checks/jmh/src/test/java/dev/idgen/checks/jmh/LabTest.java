package dev.idgen.checks.jmh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.checks.jmh.Lab.Cap;
import dev.idgen.checks.jmh.Lab.CapTest;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The harness runs each kind of benchmark, and counts right. How fast anything is, is not asked.
 */
class LabTest {
  private static final Pace SHORTEST = new Pace(1, 1, 1, 10);

  /** Takers count what they took in the time; a busy machine may not run them in 10 ms at all. */
  private static final Pace SHORT = new Pace(1, 1, 1, 300);

  @ParameterizedTest
  @CsvSource({
    "LongTakes, take, IDGEN",
    "ObjectTakes, take, UUID_IDGEN",
    "SegmentTakes, take, IDGEN",
    "BatchTakes, fill, ''",
    "BatchTakes, next, ''",
    "BatchTakes, runs, ''",
    "BatchTakes, shardingSphere, ''",
    "TextWork, encode, CROCKFORD_IDGEN",
    "TextWork, decode, BASE62_IDGEN"
  })
  void measure_oneIteration_scores(String owner, String method, String subject) throws Exception {
    Class<?> type = Class.forName(getClass().getPackageName() + "." + owner);
    Lab.Test test = new Lab.Test(method, type, method, subject, 2);
    assertTrue(only(new Lab(SHORTEST).measure(List.of(test))).median() > 0);
  }

  @Test
  void measureAtCap_oneIteration_scores() {
    CapTest test = new CapTest(LongSubject.IDGEN, 2, true);
    Cap cap = only(new Lab(SHORT).measureAtCap(List.of(test)));
    assertTrue(cap.rate().median() > 0);
    assertTrue(cap.slowMillis().median() > 0);
  }

  @Test
  void measureTags_few_weighSomethingAndShareAThread() {
    List<String> titles = List.of("bytes", "threads");
    List<Double> found = medians(TagRun.class, "tags", List.of("1500"), titles);
    assertTrue(found.get(0) > 500, found.toString());
    assertEquals(1, found.get(1));
  }

  @Test
  void measureSequence_fewCallers_scores() {
    List<String> titles = List.of("engine", "single", "spread", "p50", "p99");
    List<Double> found = medians(SequenceRun.class, "sequence", List.of("3", "300"), titles);
    assertEquals(titles.size(), found.size());
    found.forEach(number -> assertTrue(number > 0, found.toString()));
  }

  private static List<Double> medians(
      Class<?> main, String word, List<String> arguments, List<String> titles) {
    Map<String, Reading> found = new Lab(SHORTEST).measure(main, word, arguments, titles);
    assertEquals(titles, List.copyOf(found.keySet()));
    return found.values().stream().map(Reading::median).toList();
  }

  private static <V> V only(Map<?, V> found) {
    assertEquals(1, found.size());
    return found.values().iterator().next();
  }

  @Test
  void batches_ofEachForm_areDifferentAndWhole() {
    BatchTakes batches = new BatchTakes();
    Set<Long> ids = new HashSet<>();
    add(batches.fill(), ids);
    add(batches.next(), ids);
    add(batches.runs().toArray(), ids);
    assertEquals(3 * BatchTakes.SIZE, ids.size());
    assertEquals(BatchTakes.SIZE, new HashSet<>(batches.shardingSphere()).size());
  }

  private static void add(long[] from, Set<Long> to) {
    for (long id : from) {
      to.add(id);
    }
  }

  @Test
  void reading_ofThreeForks_hasMedianAndSpread() {
    Reading reading = new Reading("it", List.of(9.0, 10.0, 13.0));
    assertEquals(10, reading.median());
    assertEquals(0.2, reading.error(), 1e-9);
    assertEquals(11, new Reading("it", List.of(10.0, 12.0)).median());
  }

  @Test
  void latencies_percentile_isTheUpperEndOfItsBucket() {
    Latencies latencies = new Latencies();
    for (int i = 0; i < 9_999; i++) {
      latencies.add(1_000);
    }
    latencies.add(1_000_000);
    assertEquals(1_024, latencies.percentile(0.9999));
    assertEquals(1_048_576, latencies.percentile(1));
  }

  @Test
  void verdict_belowItsTarget_isLost() {
    Verdict lost = new Verdict("work", 1, "1", "2", 0.5, 0.1, 0.9, false);
    assertEquals("| work | 1 | 1 | 2 | 0.500 ± 10 % | >= 0.9000 | **LOST** |", lost.markdown());
    assertTrue(new Verdict("work", 1, "1", "2", 0.5, 0.1, 0.9, true).reached());
  }
}
