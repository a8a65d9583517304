package dev.idgen.check.simulation;

import dev.idgen.server.service.Caller;
import dev.idgen.server.service.Count;
import dev.idgen.server.service.EngineHealth;
import dev.idgen.server.service.EngineKind;
import dev.idgen.server.service.IdService;
import dev.idgen.server.service.IssueRequest;
import dev.idgen.server.service.ServiceException;
import dev.idgen.server.service.ServiceLimits;
import dev.idgen.server.service.ServiceReason;
import dev.idgen.server.service.Tag;
import dev.idgen.server.service.TagAdmin;
import dev.idgen.server.service.TagDirectory;
import dev.idgen.server.service.TagEngine;
import dev.idgen.server.service.TagEvents;
import dev.idgen.server.service.TagTexts;
import dev.idgen.server.service.TagWatch;
import dev.idgen.server.service.WatchEvents;
import dev.idgen.store.SegmentStore;
import dev.idgen.store.SegmentTerms;
import dev.idgen.store.SpreadEvents;
import dev.idgen.store.SpreadSegmentStore;
import dev.idgen.store.StoreBreaker;
import dev.idgen.store.TagRow;
import dev.idgen.time.Scheduler;
import dev.idgen.time.TimeSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One server: it follows tags, has an engine for each, and takes orders of administrators. */
final class TagServer extends AbstractProcess {
  /** How long a server may take to hear of a write, while the store answers it. */
  private static final long FOLLOW_NANOS = 5_000 * World.MILLI;

  private static final long PATIENCE_NANOS = 500 * World.MILLI;
  private static final ServiceLimits LIMITS = new ServiceLimits(10_000, 1 << 20);
  private static final int MAX_COUNT = 10_000;

  private final World world;
  private final TagCluster cluster;
  private final TagNode node;
  private final TimeSource time;
  private final Scheduler scheduler;
  private final StoreBreaker breaker = new StoreBreaker();
  private final TagStoreLink tags;
  private final List<MarkLink> marks = new ArrayList<>(); // by database
  private final SpreadSegmentStore segments;
  private final TagDirectory directory;
  private final TagWatch watch;
  private final TagAdmin admin;
  private final IdService service;
  private final Map<String, Long> highest = new HashMap<>(); // id that it has issued, by tag
  private final Map<String, Long> answers = new HashMap<>(); // by tag
  private String lastRefusal = "";
  private int open; // calls without an answer
  private int stalls;
  private boolean stopping;

  TagServer(TagCluster cluster, TagNode node, int number) {
    super(cluster.world(), number);
    this.world = cluster.world();
    this.cluster = cluster;
    this.node = node;
    this.time = new ProcessTime(world, cluster.clock(), world.random().nextLong(1L << 60));
    this.scheduler = new ProcessScheduler(world, this);
    this.tags = new TagStoreLink(cluster, this);
    for (int database = 0; database < cluster.marks().size(); database++) {
      marks.add(new MarkLink(cluster, this, database));
    }
    this.segments =
        new SpreadSegmentStore(
            TagPlan.NAMESPACE,
            inItsOrder(marks, node.swapped()),
            1,
            0,
            world.random().nextInt(marks.size()),
            PATIENCE_NANOS,
            time,
            scheduler,
            SpreadEvents.NONE);
    TagRow defaults = defaults();
    this.directory =
        new TagDirectory(defaults, this::engine, TagTexts.PLAIN, time, "tags: not read yet");
    this.watch = new TagWatch(TagPlan.NAMESPACE, tags, directory, defaults, scheduler, new Notes());
    this.admin =
        new TagAdmin(
            TagPlan.NAMESPACE,
            defaults,
            tags,
            segments,
            this::terms,
            directory,
            time,
            TagEvents.NONE);
    this.service = new IdService(directory, null, () -> EngineHealth.WELL, LIMITS, time);
  }

  private static List<SegmentStore> inItsOrder(List<MarkLink> marks, boolean swapped) {
    List<SegmentStore> order = new ArrayList<>(marks);
    if (swapped) {
      order.add(order.remove(0));
    }
    return order;
  }

  private TagRow defaults() {
    var options = cluster.plan().options;
    return new TagRow(
        Tag.DEFAULT,
        EngineKind.SNOWFLAKE.word(),
        "decimal",
        "",
        0,
        Long.MAX_VALUE,
        options.step(),
        options.stepMin(),
        options.stepMax(),
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

  private TagEngine engine(TagRow row, EngineKind kind) {
    return kind == EngineKind.SEGMENT ? new ServedTag(cluster, this, row, terms(row)) : new NoTag();
  }

  private SegmentTerms terms(TagRow row) {
    return cluster.plan().tags.stream()
        .filter(terms -> terms.tag().equals(row.tag()))
        .findFirst()
        .orElseGet(() -> SegmentTerms.of(TagPlan.NAMESPACE, row.tag(), 0));
  }

  private final class Notes implements WatchEvents {
    @Override
    public void readFailed(String why) {
      world.note(number(), "tags not read: " + why, 0, 0);
    }

    @Override
    public void storeChanged(String before, String now) {
      world.note(number(), "tags: " + now, 0, 0);
    }
  }

  void begin() {
    world.note(number(), "start", node.number(), 0);
    enter(
        () -> {
          check();
          watch.start();
        });
  }

  /** As a server does: again until one database can be used. */
  private void check() {
    var unused =
        segments
            .check()
            .whenComplete(
                (nothing, failure) -> {
                  if (failure != null && !stopping && !node.swapped()) {
                    scheduler.schedule(500 * World.MILLI, this::check);
                  }
                });
  }

  @Override
  void look() {}

  @Override
  String name() {
    return "server " + number() + " of node " + node.number();
  }

  TimeSource time() {
    return time;
  }

  Scheduler scheduler() {
    return scheduler;
  }

  StoreBreaker breaker() {
    return breaker;
  }

  SpreadSegmentStore segments() {
    return segments;
  }

  TagAdmin admin() {
    return admin;
  }

  boolean stopping() {
    return stopping;
  }

  /** Whether it names its databases in the wrong order, and so issues nothing. */
  boolean swapped() {
    return node.swapped();
  }

  // ---- time that it gets

  @Override
  void stall() {
    super.stall();
    stalls++;
  }

  @Override
  void unstall() {
    super.unstall();
    stalls--;
    tags.trouble();
  }

  // ---- callers

  /** One call of a caller, who waits as long as the tag says. */
  void call(String tag, int count) {
    IssueRequest request =
        IssueRequest.of(
            Caller.ANYBODY,
            tag,
            new Count("count", String.valueOf(count), MAX_COUNT),
            IssueRequest.Shape.NUMBERS);
    enter(
        () -> {
          open++;
          var unused =
              service
                  .issue(request)
                  .whenComplete(
                      (issued, failure) -> {
                        open--;
                        if (failure != null) {
                          refused(ServiceException.of(failure));
                        }
                      });
        });
  }

  private void refused(ServiceException refusal) {
    cluster.judge().refused();
    lastRefusal = refusal.reason() + ": " + refusal.detail();
    world.note(number(), refusal.reason().name(), 0, 0);
    if (refusal.reason() == ServiceReason.INTERNAL) {
      throw cluster.judge().wrong("any", lastRefusal + " of " + name(), "a clear refusal");
    }
  }

  /** The highest id of a tag that it has issued; -1: none. */
  long highest(String tag) {
    return highest.getOrDefault(tag, -1L);
  }

  /** A caller got ids up to this one. */
  void issued(String tag, long last) {
    highest.merge(tag, last, Math::max);
    answers.merge(tag, 1L, Long::sum);
    world.note(number(), "issued " + tag, last, 0);
  }

  long answers(String tag) {
    return answers.getOrDefault(tag, 0L);
  }

  // ---- what it knows

  /** What it knows of a tag now; null: that there is none. */
  @Nullable Tag find(String tag) {
    for (Tag known : directory.all()) {
      if (known.name().equals(tag)) {
        return known;
      }
    }
    return null;
  }

  /** Whether it knows the tags, and has heard of their last failover. */
  boolean knowsThePrimary() {
    return directory.problem().isEmpty() && tags.knowsThePrimary();
  }

  /**
   * What it knows was so within the last five seconds, if the store has answered it all the time.
   */
  void requireUpToDate() {
    long heard = world.nowNanos() - FOLLOW_NANOS;
    boolean judged =
        !stopping && stalls == 0 && tags.isWellSince(heard) && cluster.tags().sinceNanos() <= heard;
    if (!judged) {
      return;
    }
    if (!directory.problem().isEmpty()) {
      throw wrong("all", "does not know the tags: " + directory.problem(), "five seconds at most");
    }
    for (SegmentTerms terms : cluster.plan().tags) {
      Tag known = find(terms.tag());
      TagRow view = known == null ? null : known.row();
      if (!cluster.tags().mayBeKnown(terms.tag(), view, heard)) {
        throw wrong(terms.tag(), "knows " + view, "what was written five seconds ago, or later");
      }
    }
  }

  Violation wrong(String tag, String what, String expected) {
    return cluster.judge().wrong(tag, name() + " " + what, expected + "; " + lastRefusal);
  }

  void requireAnswers() {
    if (open > 0) {
      throw wrong("all", open + " calls without an answer", "all answered by now");
    }
  }

  // ---- links

  void cutTags(boolean yes) {
    tags.cut(yes);
    tags.trouble();
  }

  void cutMarks(int database, boolean yes) {
    marks.get(database).cut(yes);
  }

  // ---- the end

  /** Closes its engines, and ends a little later; callers go on coming meanwhile. */
  void stop(long lingerMs) {
    if (stopping) {
      return;
    }
    stopping = true;
    enter(
        () -> {
          world.note(number(), "stop", 0, 0);
          watch.stop();
          directory.close();
          world.inMillis(lingerMs, () -> end("exit"));
        });
  }

  void kill() {
    end("kill");
  }

  private void end(String how) {
    if (alive()) {
      world.note(number(), how, 0, 0);
      stopping = true;
      dead();
      node.ended(this);
      cluster.ended(this);
    }
  }

  /** Whether it makes no sense to repeat an order that was refused so. */
  static boolean isFinal(ServiceException refusal) {
    return switch (refusal.reason()) {
      case UNKNOWN_TAG, INVALID_BODY, ENGINE_MISMATCH -> true;
      default -> false;
    };
  }
}
