package dev.idgen.check.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.idgen.IdGenerator;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Requires.Modifier;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
  private static final JavaClasses SHIPPED =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.idgen");

  private static final String[] CORE = {
    "dev.idgen",
    "dev.idgen.entropy..",
    "dev.idgen.inspect..",
    "dev.idgen.layout..",
    "dev.idgen.lock..",
    "dev.idgen.segment..",
    "dev.idgen.snowflake..",
    "dev.idgen.store",
    "dev.idgen.store.memory..",
    "dev.idgen.store.file..",
    "dev.idgen.text..",
    "dev.idgen.time..",
    "dev.idgen.uuid.."
  };
  private static final String[] ENGINES = {
    "dev.idgen.snowflake..", "dev.idgen.segment..", "dev.idgen.sequence..", "dev.idgen.uuid.."
  };
  private static final String[] DRIVERS = {
    "dev.idgen.store.memory..",
    "dev.idgen.store.file..",
    "dev.idgen.store.jdbc..",
    "dev.idgen.store.etcd..",
    "dev.idgen.store.zookeeper.."
  };
  private static final String[] TRANSPORTS = {
    "dev.idgen.server.http..", "dev.idgen.server.grpc..", "dev.idgen.server.resp.."
  };

  private static final Set<String> CLOCKS =
      Set.of(
          "java.lang.System.currentTimeMillis",
          "java.lang.System.nanoTime",
          "java.time.Instant.now",
          "java.time.Clock.system",
          "java.time.Clock.systemUTC",
          "java.time.Clock.systemDefaultZone",
          "java.time.Clock.tick",
          "java.time.Clock.tickMillis",
          "java.time.Clock.tickSeconds",
          "java.time.LocalDate.now",
          "java.time.LocalDateTime.now",
          "java.time.OffsetDateTime.now",
          "java.time.ZonedDateTime.now",
          "java.util.UUID.randomUUID",
          "java.lang.Math.random",
          "java.util.concurrent.ThreadLocalRandom.current",
          "java.security.SecureRandom.getInstance",
          "java.security.SecureRandom.getInstanceStrong");
  private static final Set<String> CONSTRUCTED =
      Set.of(
          "java.util.Date",
          "java.util.Random",
          "java.util.SplittableRandom",
          "java.security.SecureRandom");

  @Test
  void shipped_isAllThere() {
    Set<String> roots =
        SHIPPED.stream()
            .map(c -> c.getPackageName())
            .collect(Collectors.toCollection(TreeSet::new));
    assertTrue(
        roots.containsAll(
            List.of(
                "dev.idgen",
                "dev.idgen.snowflake",
                "dev.idgen.store.jdbc",
                "dev.idgen.store.etcd",
                "dev.idgen.store.zookeeper",
                "dev.idgen.server.http",
                "dev.idgen.cli")),
        roots.toString());
  }

  @Test
  void packages_haveNoCycles() {
    slices().matching("dev.idgen.(**)").should().beFreeOfCycles().check(SHIPPED);
  }

  @Test
  void core_knowsTheLanguageAlone() {
    classes()
        .that(resideInAnyPackage(CORE))
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(
                concat(CORE, "java..", "javax.crypto..", "org.jspecify.annotations..")))
        .check(SHIPPED);
  }

  @Test
  void layers_pointOneWay() {
    noClasses()
        .that(resideInAnyPackage(concat(CORE, DRIVERS)))
        .should()
        .dependOnClassesThat(resideInAnyPackage("dev.idgen.server..", "dev.idgen.cli.."))
        .check(SHIPPED);
    noClasses()
        .that(resideInAnyPackage("dev.idgen.server.service.."))
        .should()
        .dependOnClassesThat(
            resideInAnyPackage(concat(TRANSPORTS, "dev.idgen.server.main..", "dev.idgen.cli..")))
        .check(SHIPPED);
    noClasses()
        .that(resideInAnyPackage(TRANSPORTS))
        .should()
        .dependOnClassesThat(
            resideInAnyPackage(concat(DRIVERS, "dev.idgen.server.main..", "dev.idgen.cli..")))
        .check(SHIPPED);
    noClasses()
        .that(resideInAnyPackage(concat(ENGINES, "dev.idgen.store")))
        .should()
        .dependOnClassesThat(resideInAnyPackage(DRIVERS))
        .check(SHIPPED.that(describe("not the front", ArchitectureTest::notTheFront)));
  }

  @Test
  void onlyTheWiring_knowsADriver() {
    noClasses()
        .that(resideOutsideOfPackages(concat(DRIVERS, "dev.idgen.server.main..")))
        .should()
        .dependOnClassesThat(resideInAnyPackage(DRIVERS))
        .check(SHIPPED.that(describe("not the front", ArchitectureTest::notTheFront)));
  }

  /**
   * {@code Snowflake.fixed} is one line for an application and opens the local state file by
   * itself.
   */
  private static boolean notTheFront(com.tngtech.archunit.core.domain.JavaClass c) {
    return !c.getName().equals("dev.idgen.snowflake.Snowflake");
  }

  @Test
  void siblings_areStrangers() {
    for (String[] siblings : List.of(ENGINES, DRIVERS, TRANSPORTS)) {
      for (String one : siblings) {
        String[] others = without(siblings, one);
        noClasses()
            .that(resideInAnyPackage(one))
            .should()
            .dependOnClassesThat(resideInAnyPackage(others))
            .allowEmptyShould(true) // rooms that are kept for what is to come
            .check(SHIPPED);
      }
    }
  }

  @Test
  void sql_isSpokenInOneRoom() {
    noClasses()
        .that(resideOutsideOfPackages("dev.idgen.store.jdbc.."))
        .should()
        .dependOnClassesThat(resideInAnyPackage("java.sql..", "javax.sql.."))
        .check(SHIPPED);
  }

  @Test
  void realClockAndChance_areReadInTheirRooms() {
    noClasses()
        .that(resideOutsideOfPackages("dev.idgen.time..", "dev.idgen.entropy.."))
        .should()
        .accessTargetWhere(realClockOrChance())
        .check(SHIPPED);
  }

  private static DescribedPredicate<JavaAccess<?>> realClockOrChance() {
    return describe(
        "reads the real clock or makes random numbers",
        access -> {
          AccessTarget target = access.getTarget();
          String owner = target.getOwner().getName();
          return CLOCKS.contains(owner + "." + target.getName())
              || (target.getName().equals("<init>") && CONSTRUCTED.contains(owner));
        });
  }

  @Test
  void publicClasses_sayWhetherNullIsAValue() {
    for (var javaPackage : packages()) {
      assertTrue(
          javaPackage.isAnnotatedWith("org.jspecify.annotations.NullMarked"),
          () -> javaPackage.getName() + " (expected: @NullMarked)");
    }
  }

  private static Set<com.tngtech.archunit.core.domain.JavaPackage> packages() {
    return SHIPPED.stream().map(c -> c.getPackage()).collect(Collectors.toSet());
  }

  @Test
  void coreModule_requiresTheLanguageAlone() throws Exception {
    Path jar =
        Path.of(IdGenerator.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    ModuleDescriptor module = ModuleFinder.of(jar).findAll().iterator().next().descriptor();
    assertEquals("dev.idgen", module.name());
    Set<String> atRunTime =
        module.requires().stream()
            .filter(r -> !r.modifiers().contains(Modifier.STATIC))
            .map(ModuleDescriptor.Requires::name)
            .collect(Collectors.toSet());
    assertEquals(Set.of("java.base"), atRunTime);
  }

  private static String[] concat(String[] some, String... more) {
    String[] all = java.util.Arrays.copyOf(some, some.length + more.length);
    System.arraycopy(more, 0, all, some.length, more.length);
    return all;
  }

  private static String[] without(String[] all, String one) {
    return java.util.Arrays.stream(all).filter(s -> !s.equals(one)).toArray(String[]::new);
  }
}
