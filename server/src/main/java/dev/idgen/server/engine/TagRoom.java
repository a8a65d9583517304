package dev.idgen.server.engine;

import dev.idgen.segment.SegmentEngine;
import dev.idgen.segment.SegmentOptions;
import dev.idgen.sequence.SequenceEngine;
import dev.idgen.sequence.SequenceOptions;
import dev.idgen.server.service.Durations;
import dev.idgen.server.service.EngineKind;
import dev.idgen.server.service.TagAdmin;
import dev.idgen.server.service.TagDirectory;
import dev.idgen.server.service.TagEngine;
import dev.idgen.server.service.TagEngines;
import dev.idgen.server.service.TagTexts;
import dev.idgen.server.service.TagWatch;
import dev.idgen.store.SegmentStore;
import dev.idgen.store.SegmentTerms;
import dev.idgen.store.SpreadSegmentStore;
import dev.idgen.store.StoreBreaker;
import dev.idgen.store.StoreException;
import dev.idgen.store.TagRow;
import dev.idgen.store.TagStore;
import dev.idgen.time.Scheduler;
import dev.idgen.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * The tags of a server with their engines and stores. Comes up without the stores: until tags are
 * known, none is found. Thread-safe.
 */
public final class TagRoom {
  private static final long CHECK_AGAIN_NANOS = 500_000_000;
  private static final int PATIENCE_PART = 4; // of a wait, before another database is tried beside

  private final TagRoomOptions options;
  private final TagEngine snowflake;
  private final TextEngines texts;
  private final TagLog log;
  private final TimeSource time;
  private final Scheduler scheduler = Scheduler.daemon("idgen-tags");
  private final Durations fetches = new Durations();
  private final StoreBreaker breaker = new StoreBreaker();
  private final Opening<TagStore> tags;
  private final List<Opening<SegmentStore>> databases = new ArrayList<>();
  private final SpreadSegmentStore segments;
  private final TagDirectory directory;
  private final TagWatch watch;
  private final TagAdmin admin;
  private final CompletableFuture<Void> checked = new CompletableFuture<>();

  private volatile String problem = "";
  private volatile boolean stopping;

  /**
   * A room that opens nothing yet.
   *
   * @param snowflake the engine that all snowflake tags share
   * @param written how ids are written
   * @param stores open what the tags are kept in; may block
   */
  public TagRoom(
      TagRoomOptions options,
      TagEngine snowflake,
      TagTexts written,
      TagStores stores,
      TimeSource time,
      TagLog log) {
    this.options = options;
    this.snowflake = snowflake;
    this.texts = new TextEngines(time);
    this.log = log;
    this.time = time;
    this.tags = new Opening<>("tags", stores.tags(), time, this::tagsNotOpened);
    List<SegmentStore> late = new ArrayList<>();
    for (TagStores.Database database : stores.segments()) {
      Opening<SegmentStore> opening =
          new Opening<>("segments", database.opener(), time, this::segmentsNotOpened);
      databases.add(opening);
      late.add(new LateSegmentStore(database.kind(), opening));
    }
    this.segments =
        new SpreadSegmentStore(
            options.namespace(),
            late,
            options.regions(),
            options.region(),
            options.firstDatabase(),
            patienceNanos(options.segments()),
            time,
            scheduler,
            log);
    TagRow first = options.defaults().named("default", time.wallMillis());
    this.directory = new TagDirectory(first, new Engines(), written, time, "tags: not read yet");
    TagStore tagStore = new LateTagStore(tags);
    this.watch = new TagWatch(options.namespace(), tagStore, directory, first, scheduler, log);
    this.admin =
        new TagAdmin(
            options.namespace(),
            options.defaults(),
            tagStore,
            segments,
            this::terms,
            directory,
            time,
            log);
  }

  /** So short that whoever waits still gets ids of another database. */
  private static long patienceNanos(SegmentOptions segments) {
    long wait = segments.waitMs() == 0 ? segments.callMs() : segments.waitMs();
    return TimeUnit.MILLISECONDS.toNanos(
        Math.max(1, Math.min(wait, segments.callMs()) / PATIENCE_PART));
  }

  private void tagsNotOpened(String why) {
    log.openFailed(why);
    directory.setProblem(why); // first tried after this room was made
  }

  private void segmentsNotOpened(String why) {
    log.openFailed(why);
    if (!checked.isDone()) {
      problem = why;
      check();
    }
  }

  /** Finds tags. */
  public TagDirectory directory() {
    return directory;
  }

  /** How long the stores took for segments and sequences. */
  public Durations fetches() {
    return fetches;
  }

  /** Makes and removes tags. */
  public TagAdmin admin() {
    return admin;
  }

  /** Why not all tags can be found, or issue; empty: they can. */
  public String problem() {
    String unknown = directory.problem();
    return unknown.isEmpty() ? problem : unknown;
  }

  private final class Engines implements TagEngines {
    @Override
    public TagEngine engine(TagRow row, EngineKind kind) {
      return switch (kind) {
        case SNOWFLAKE -> snowflake;
        case SEGMENT -> segment(row);
        case SEQUENCE -> sequence(row);
        case UUIDV7, UUIDV4, ULID, RANDOM, CONTENT -> texts.of(kind, row.tag());
      };
    }

    @Override
    public void notServed(String tag, String why) {
      log.notServed(tag, why);
    }
  }

  private TagEngine segment(TagRow row) {
    SegmentOptions set =
        options
            .segments()
            .withSteps(row.step(), row.stepMin(), row.stepMax())
            .withCritical(row.critical());
    FetchMeter meter = new FetchMeter(fetches);
    return new SegmentTagEngine(
        new SegmentEngine(
            terms(row), set, segments, breaker, time, scheduler, log.segments(row.tag(), meter)),
        runs(row),
        meter,
        TimeUnit.MILLISECONDS.toNanos(set.waitMs()));
  }

  private TagEngine sequence(TagRow row) {
    SequenceOptions set =
        options.sequences().withMaxIds(row.stepMax()).withCritical(row.critical());
    FetchMeter meter = new FetchMeter(fetches);
    return new SequenceTagEngine(
        new SequenceEngine(
            terms(row), set, segments, breaker, time, scheduler, log.sequence(row.tag(), meter)),
        runs(row),
        meter,
        TimeUnit.MILLISECONDS.toNanos(set.waitMs()));
  }

  private RunLimit runs(TagRow row) {
    return new RunLimit(segments.modulus(), row.stepMax());
  }

  private SegmentTerms terms(TagRow row) {
    return new SegmentTerms(
        options.namespace(),
        row.tag(),
        row.start(),
        row.maximum(),
        segments.modulus(),
        options.region(),
        gap(row));
  }

  /** More than a failover can lose: several of the largest writes that there may be. */
  private long gap(TagRow row) {
    boolean sequence = row.engine().equals(EngineKind.SEQUENCE.word());
    long most = sequence ? Math.max(row.stepMax(), options.maxCount()) : row.stepMax();
    long steps = options.skippedSteps();
    return most > Long.MAX_VALUE / steps ? Long.MAX_VALUE : most * steps;
  }

  /** Begins to open the stores, and tries until they can be used. */
  public void open() {
    tags.begin();
    databases.forEach(Opening::begin);
  }

  /**
   * Begins to follow the tags.
   *
   * @return completes when all tags are known and their marks can be reached for the first time;
   *     fails, with a {@link StoreException}, when a store contradicts the settings
   */
  public CompletionStage<Void> start() {
    CompletableFuture<Void> ready = new CompletableFuture<>();
    CompletableFuture<Void> known = tags.usable().thenCompose(opened -> watch.start());
    for (Opening<SegmentStore> database : databases) {
      var unused = database.usable().thenRun(this::check);
      failWith(database.usable(), checked);
    }
    var unused = known.thenCombine(checked, (a, b) -> ready.complete(null));
    failWith(known, ready);
    failWith(checked, ready);
    return ready;
  }

  /** A failure of a part is not kept waiting for the other parts. */
  private static void failWith(CompletableFuture<?> part, CompletableFuture<Void> whole) {
    var unused =
        part.whenComplete(
            (value, failure) -> {
              if (failure != null) {
                whole.completeExceptionally(failure);
              }
            });
  }

  /**
   * One of several databases is enough to begin with; one that is another than it should be ends
   * all. Each is given the chance to say so.
   */
  private void check() {
    boolean all = databases.stream().allMatch(Opening::tried);
    if (checked.isDone() || stopping || !all) {
      return;
    }
    var unused =
        segments
            .check()
            .whenComplete(
                (nothing, failure) -> {
                  if (failure == null) {
                    problem = "";
                    checked.complete(null);
                  } else if (isPermanent(failure)) {
                    checked.completeExceptionally(failure);
                  } else if (!stopping) {
                    problem = String.valueOf(cause(failure).getMessage());
                    scheduler.schedule(CHECK_AGAIN_NANOS, this::check);
                  }
                });
  }

  private static boolean isPermanent(Throwable failure) {
    return !(cause(failure) instanceof StoreException refusal) || refusal.permanent();
  }

  private static Throwable cause(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  /** Issues nothing more, and follows no more changes. */
  public void end() {
    stopping = true;
    watch.stop();
    tags.stop();
    databases.forEach(Opening::stop);
    directory.close();
  }

  /** Closes the stores, after {@link #end}. */
  public CompletableFuture<Void> closeStores() {
    scheduler.close();
    List<CompletableFuture<Void>> all = new ArrayList<>();
    all.add(tags.close());
    databases.forEach(database -> all.add(database.close()));
    return CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0]));
  }
}
