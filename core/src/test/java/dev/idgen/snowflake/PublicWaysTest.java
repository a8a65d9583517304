package dev.idgen.snowflake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.idgen.IdGenerator;
import dev.idgen.LeaseException;
import dev.idgen.store.SegmentStore;
import dev.idgen.store.WorkerStore;
import dev.idgen.time.Scheduler;
import dev.idgen.time.TimeSource;
import java.io.IOException;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * C22: no way that the library offers leads to ids without a worker id and something that remembers
 * what was issued under it. There is no default for either.
 */
class PublicWaysTest {
  private static final Path CLASSES = classes();

  /** An engine can be made alone, and is then good for nothing: see the next two tests. */
  @Test
  void generators_everyPublicWay_takesAStoreOrAWorkerIdAndItsFile() throws Exception {
    Set<String> without = new TreeSet<>();
    int with = 0;
    for (Class<?> type : publicTypes()) {
      for (Executable way : waysToAGenerator(type)) {
        if (remembers(way)) {
          with++;
        } else {
          without.add(shown(way));
        }
      }
    }
    assertEquals(
        Set.of(
            "SnowflakeEngine(EngineOptions, TimeSource, Scheduler, EngineEvents, boolean)",
            "ThreadBlocks(SegmentEngine)"), // the engine has a store
        without);
    assertEquals(7, with, "ways of Snowflake, one of SegmentEngine, one of SequenceEngine");
  }

  @Test
  void engine_withoutALease_issuesNothing() {
    SnowflakeEngine engine =
        new SnowflakeEngine(
            EngineOptions.defaults().withWaitMs(0),
            TimeSource.system(),
            NO_TIMERS,
            EngineEvents.NONE,
            true);
    LeaseException e = assertThrows(LeaseException.class, engine::next);
    assertEquals("lease: none (expected: one that covers the present)", e.getMessage());
    assertThrows(LeaseException.class, () -> engine.fill(new long[1]));
    assertThrows(LeaseException.class, () -> engine.nextBatch(1));
    assertEquals(-1, engine.tryNext());
    assertEquals(List.of(), engine.status().workerIds());
  }

  /** What an engine lets others do with leases is the package's; a keeper cannot do without. */
  @Test
  void leases_fromOutside_comeFromAKeeperWithAStoreAlone() {
    List<String> inOurHands =
        Stream.of(SnowflakeEngine.class.getMethods())
            .filter(method -> method.getDeclaringClass() != Object.class)
            .filter(method -> method.getName().matches(".*([sS]witch|[lL]ease|[wW]orker).*"))
            .map(Method::getName)
            .toList();
    assertEquals(List.of(), inOurHands);
    Set<String> without = new TreeSet<>();
    for (Executable way : LeaseKeeper.class.getConstructors()) {
      if (!List.of(way.getParameterTypes()).contains(WorkerStore.class)) {
        without.add(shown(way));
      }
    }
    assertEquals(Set.of(), without);
  }

  private static final Scheduler NO_TIMERS =
      new Scheduler() {
        @Override
        public Timer schedule(long delayNanos, Runnable task) {
          return () -> {};
        }

        @Override
        public void close() {}
      };

  private static boolean remembers(Executable way) {
    List<Class<?>> given = List.of(way.getParameterTypes());
    return given.contains(WorkerStore.class)
        || given.contains(SegmentStore.class)
        || (given.contains(int.class) && given.contains(Path.class));
  }

  /** Constructors of generators, and static methods of anybody that give one. */
  private static List<Executable> waysToAGenerator(Class<?> type) {
    List<Executable> ways = new ArrayList<>();
    if (IdGenerator.class.isAssignableFrom(type)) {
      ways.addAll(List.of(type.getConstructors()));
    }
    for (Method method : type.getMethods()) {
      boolean gives = IdGenerator.class.isAssignableFrom(method.getReturnType());
      if (gives && Modifier.isStatic(method.getModifiers())) {
        ways.add(method);
      }
    }
    return ways;
  }

  private static String shown(Executable way) {
    String name = way instanceof Method ? way.getName() : way.getDeclaringClass().getSimpleName();
    List<String> given = Arrays.stream(way.getParameterTypes()).map(Class::getSimpleName).toList();
    return name + "(" + String.join(", ", given) + ")";
  }

  private static List<Class<?>> publicTypes() throws IOException, ClassNotFoundException {
    List<Class<?>> types = new ArrayList<>();
    try (Stream<Path> files = Files.walk(CLASSES)) {
      for (Path file : files.filter(PublicWaysTest::isType).toList()) {
        String path = CLASSES.relativize(file).toString();
        String name = path.substring(0, path.length() - ".class".length()).replace('/', '.');
        Class<?> type = Class.forName(name, false, PublicWaysTest.class.getClassLoader());
        if (Modifier.isPublic(type.getModifiers())) {
          types.add(type);
        }
      }
    }
    return types;
  }

  private static boolean isType(Path file) {
    return file.toString().endsWith(".class") && !file.toString().endsWith("-info.class");
  }

  private static Path classes() {
    try {
      return Path.of(IdGenerator.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
