package dev.idgen.checks.jmh;

import dev.idgen.IdBatch;
import dev.idgen.segment.SegmentOptions;
import dev.idgen.sequence.SequenceOptions;
import dev.idgen.server.engine.TagLog;
import dev.idgen.server.engine.TagRoom;
import dev.idgen.server.engine.TagRoomOptions;
import dev.idgen.server.engine.TagStores;
import dev.idgen.server.log.AuditLog;
import dev.idgen.server.service.EngineHealth;
import dev.idgen.server.service.EngineKind;
import dev.idgen.server.service.NumberEngine;
import dev.idgen.server.service.TagTexts;
import dev.idgen.store.RowText;
import dev.idgen.store.SegmentRequest;
import dev.idgen.store.SegmentTerms;
import dev.idgen.store.TagChanges;
import dev.idgen.store.TagReply;
import dev.idgen.store.TagRow;
import dev.idgen.store.TagStore;
import dev.idgen.store.memory.MemorySegmentStore;
import dev.idgen.store.memory.MemoryTagStore;
import dev.idgen.time.TimeSource;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A process that has the tags of a server, each used once, and says what one of them weighs and how
 * many threads they all need. What the stores hold is there before and does not count.
 */
public final class TagRun {
  private static final String NAMESPACE = "default";
  private static final Path UNUSED = Path.of("audit.log"); // made when something is written
  private static final int COLLECTIONS = 4;
  private static final long PATIENCE_SECONDS = 60;

  private final MemoryTagStore rows = new MemoryTagStore();
  private final MemorySegmentStore marks = new MemorySegmentStore("memory");

  private TagRun() {}

  /**
   * Prints bytes of heap for each tag, and threads of all of them.
   *
   * @param args how many tags
   */
  public static void main(String[] args) throws Exception {
    new TagRun().run(Integer.parseInt(args[0]));
    System.exit(0);
  }

  private void run(int tags) throws Exception {
    for (int i = 0; i < tags; i++) {
      await(rows.write(NAMESPACE, defaults().named(name(i), 1), 0));
      await(marks.allocate(new SegmentRequest(SegmentTerms.of(NAMESPACE, name(i), 0), 1, -1)));
    }
    int threads = threads();
    long before = usedBytes();
    TagRoom room = room();
    room.open();
    await(room.start());
    for (int i = 0; i < tags; i++) {
      NumberEngine engine = (NumberEngine) room.directory().find(name(i)).engine();
      await(engine.nextAsync(1, PATIENCE_SECONDS * 1_000_000_000));
    }
    long bytes = usedBytes() - before;
    System.out.println("tags " + bytes / (double) tags + " " + (threads() - threads));
  }

  private static String name(int i) {
    return "order." + i;
  }

  private static <T extends @Nullable Object> T await(CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  private TagRoom room() {
    TimeSource time = TimeSource.system();
    return new TagRoom(
        new TagRoomOptions(
            NAMESPACE,
            defaults(),
            SegmentOptions.defaults(),
            SequenceOptions.defaults(),
            1,
            0,
            0,
            1_000_000,
            1),
        new NoEngine(),
        TagTexts.PLAIN,
        new TagStores(
            () -> new TextTagStore(rows), List.of(new TagStores.Database("memory", () -> marks))),
        time,
        new TagLog(new AuditLog(UNUSED, time, "tags"), time));
  }

  private static TagRow defaults() {
    return new TagRow(
        "default",
        EngineKind.SEGMENT.word(),
        "decimal",
        "",
        1,
        Long.MAX_VALUE,
        10_000,
        100,
        1_000_000,
        false,
        0,
        0,
        "",
        "",
        0,
        0,
        0,
        false,
        0,
        0);
  }

  private static int threads() {
    return ManagementFactory.getThreadMXBean().getThreadCount();
  }

  private static long usedBytes() {
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /** Tags as a store gives them that keeps texts: every row is made anew, and shares nothing. */
  private record TextTagStore(TagStore rows) implements TagStore {
    @Override
    public CompletionStage<@Nullable TagRow> read(String namespace, String tag) {
      return rows.read(namespace, tag).thenApply(row -> row == null ? null : anew(row));
    }

    @Override
    public CompletionStage<TagReply> write(String namespace, TagRow next, long knownVersion) {
      return rows.write(namespace, next, knownVersion);
    }

    @Override
    public CompletionStage<TagChanges> changes(String namespace, long revision) {
      return rows.changes(namespace, revision)
          .thenApply(
              changes ->
                  new TagChanges(
                      changes.identity(),
                      changes.head(),
                      changes.rows().stream().map(TextTagStore::anew).toList(),
                      changes.complete()));
    }

    private static TagRow anew(TagRow row) {
      return RowText.tag(RowText.of(row));
    }

    @Override
    public void close() {
      rows.close();
    }
  }

  /** What snowflake tags would share; there are none. */
  private static final class NoEngine implements NumberEngine {
    @Override
    public EngineKind kind() {
      return EngineKind.SNOWFLAKE;
    }

    @Override
    public long tryNext() {
      return -1;
    }

    @Override
    public CompletionStage<IdBatch> nextAsync(int count, long waitNanos) {
      return CompletableFuture.failedFuture(
          new IllegalStateException("engine: none (expected: segments only)"));
    }

    @Override
    public long waitNanos() {
      return 0;
    }

    @Override
    public EngineHealth health() {
      return new EngineHealth(true, List.of());
    }
  }
}
