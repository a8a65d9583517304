package dev.idgen.server.service;

import dev.idgen.store.TagRow;
import dev.idgen.store.UnreadTag;
import dev.idgen.time.TimeSource;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * The tags as this process knows them, with their engines. Follows the store: whoever reads there
 * tells it here. Thread-safe; finding a tag takes no lock.
 */
public final class TagDirectory {
  private final TagEngines engines;
  private final TagTexts texts;
  private final TimeSource time;
  private final Map<String, Tag> tags = new ConcurrentHashMap<>();
  private final Map<String, Tag> prefixed = new ConcurrentSkipListMap<>();

  /** What is known of tags that were written, tombstones too; guarded by this. */
  private final Map<String, Long> revisions = new ConcurrentHashMap<>();

  private long lastRevision; // of all that is known of; guarded by this

  /** Since all was last begun to be read; guarded by this. As many as there are tags. */
  private final Set<String> appliedMeanwhile = new HashSet<>();

  /** Why a row could not be read that had no name to ask for; guarded by this. */
  private String nameless = "";

  private volatile @Nullable Tag defaultTag;
  private volatile String problem;

  /**
   * A directory that knows of no tag until the store tells, or of one alone.
   *
   * @param defaultRow of the tag {@link Tag#DEFAULT}, where there are no others
   * @param texts how ids are written
   * @param problem why it does not know yet which tags there are; empty: there is the default alone
   */
  public TagDirectory(
      TagRow defaultRow, TagEngines engines, TagTexts texts, TimeSource time, String problem) {
    this.engines = engines;
    this.texts = texts;
    this.time = time;
    this.problem = problem;
    if (problem.isEmpty()) {
      put(defaultRow);
    }
  }

  /**
   * The tag of a name.
   *
   * @param name null: the default
   * @throws ServiceException the name cannot be one, there is none, or that is not known yet
   */
  public Tag find(@Nullable String name) {
    Tag found = known(name);
    return found == null ? knownNow(name) : found;
  }

  /** The same without a reason; null: ask {@link #find}. */
  @Nullable Tag known(@Nullable String name) {
    return name == null ? defaultTag : tags.get(name);
  }

  /** That there is no problem is said after all tags can be found: so they are looked up again. */
  private Tag knownNow(@Nullable String name) {
    String missing = name == null ? Tag.DEFAULT : name;
    Tag.requireName(missing);
    String why = problem;
    if (!why.isEmpty()) {
      throw new ServiceException(
          ServiceReason.STORE_UNAVAILABLE, "tag: " + missing + ": not known yet: " + why, 1000);
    }
    Tag found = known(name);
    if (found == null) {
      throw new ServiceException(
          ServiceReason.UNKNOWN_TAG, "tag: " + missing + " (expected: one that was made)");
    }
    return found;
  }

  /** Tags whose ids begin with a prefix and hide nothing, in the order of their names. A view. */
  Collection<Tag> prefixed() {
    return prefixed.values();
  }

  /** All tags, in no order. A view. */
  public Collection<Tag> all() {
    return tags.values();
  }

  /** Why tags that it does not find may exist all the same; empty: they do not. */
  public String problem() {
    return problem;
  }

  /** Says so. */
  public void setProblem(String why) {
    problem = why;
  }

  /** Takes over what was written to the store. Older than what is known: nothing happens. */
  public synchronized void apply(TagRow row) {
    Long known = revisions.get(row.tag());
    if (known != null && known >= row.revision()) {
      return;
    }
    revisions.put(row.tag(), row.revision());
    lastRevision = Math.max(lastRevision, row.revision());
    appliedMeanwhile.add(row.tag());
    if (row.removed()) {
      remove(row.tag());
    } else {
      put(row);
    }
  }

  /**
   * Takes over at once what an administrator of this server was answered. Before the tags are known
   * it does not: what is read then is all that is known, whichever store that was written to.
   */
  synchronized void applyOwn(TagRow row) {
    if (problem.isEmpty()) {
      apply(row);
    }
  }

  /**
   * What the store has of a tag makes no sense here. It may be a removal or a raise: nothing is
   * issued for that tag until its row can be read. Older than what is known: nothing happens.
   */
  public synchronized void applyUnread(UnreadTag unread) {
    Long known = revisions.get(unread.tag());
    if (unread.revision() > 0) {
      if (known != null && known > unread.revision()) {
        return;
      }
      revisions.put(unread.tag(), unread.revision());
      lastRevision = Math.max(lastRevision, unread.revision());
    }
    if (Tag.isName(unread.tag())) {
      Tag before = tags.get(unread.tag());
      TagRow row = before == null ? UnservedEngine.rowOf(unread.tag()) : before.row();
      replace(before, unserved(before, row, new UnservedEngine(unread)));
    } else if (!nameless.equals(unread.why())) {
      nameless = unread.why(); // nobody can ask for it: told, and no more
      engines.notServed(unread.tag(), unread.why());
    }
  }

  /** The latest write that it knows of, whoever told it; 0: none. */
  synchronized long lastRevision() {
    return lastRevision;
  }

  /**
   * Another store answers, or the same one has lost writes: what this server writes there from now
   * on is newer, whatever its revision.
   */
  synchronized void forgetRevisions() {
    revisions.clear();
    lastRevision = 0;
  }

  /** All that the store has is being read, from now on: what is applied meanwhile is newer. */
  public synchronized void beginReading() {
    appliedMeanwhile.clear();
  }

  /**
   * Takes over all that the store has, at the start or after it has lost writes.
   *
   * @param rows all of them, tombstones too, as they were since {@link #beginReading}
   * @param unread those that cannot be read
   */
  public synchronized void replaceBy(List<TagRow> rows, Collection<UnreadTag> unread) {
    Set<String> newer = Set.copyOf(appliedMeanwhile);
    Set<String> there = new HashSet<>(newer);
    revisions.keySet().retainAll(newer);
    lastRevision = revisions.values().stream().mapToLong(r -> r).max().orElse(0);
    for (TagRow row : rows) {
      there.add(row.tag());
      apply(row);
    }
    for (UnreadTag tag : unread) {
      there.add(tag.tag());
      if (!newer.contains(tag.tag())) {
        applyUnread(tag);
      }
    }
    for (String name : List.copyOf(tags.keySet())) {
      if (!there.contains(name)) {
        remove(name); // made just before the store lost its last writes
      }
    }
  }

  private synchronized void put(TagRow row) {
    Tag before = tags.get(row.tag());
    Tag tag = tag(before, row);
    tag.engine().raiseTo(row.floor());
    replace(before, tag);
  }

  private synchronized void replace(@Nullable Tag before, Tag tag) {
    tags.put(tag.name(), tag);
    if (tag.row().prefix().isEmpty() || tag.opaque()) {
      prefixed.remove(tag.name());
    } else {
      prefixed.put(tag.name(), tag);
    }
    if (tag.name().equals(Tag.DEFAULT)) {
      defaultTag = tag;
    }
    if (before != null && before.engine() != tag.engine()) {
      before.engine().close(); // after the new one can be found: its ids are higher
    }
  }

  /** What this server cannot serve, another one has made; that is no harm to other tags. */
  private Tag tag(@Nullable Tag before, TagRow row) {
    try {
      EngineKind kind = requireServed(row);
      TagEngine engine =
          before != null && keepsEngine(before, row) ? before.engine() : engines.engine(row, kind);
      return new Tag(row, engine, texts.of(row, kind), limit(before, row), meter(before));
    } catch (IllegalArgumentException e) {
      String why = String.valueOf(e.getMessage());
      return unserved(before, row, new UnservedEngine(row.tag(), why));
    }
  }

  private static TagMeter meter(@Nullable Tag before) {
    return before == null ? new TagMeter() : before.meter();
  }

  /** Told once, however often it is read. */
  private Tag unserved(@Nullable Tag before, TagRow row, UnservedEngine engine) {
    if (before == null || !engine.equals(before.engine())) {
      engines.notServed(row.tag(), engine.why());
    }
    return new Tag(row, engine, null, null, meter(before));
  }

  /** A limit that stays the same is not given anew: a change of another setting lifts none. */
  private @Nullable TagLimit limit(@Nullable Tag before, TagRow row) {
    TagLimit known = before == null ? null : before.limit();
    return known != null && known.is(row) ? known : TagLimit.of(row, time);
  }

  /**
   * The engine of a tag that this server can serve.
   *
   * @throws IllegalArgumentException it cannot: name, value, expected
   */
  EngineKind requireServed(TagRow row) {
    return ServedTags.require(row, texts);
  }

  private static boolean keepsEngine(Tag known, TagRow after) {
    TagRow before = known.row();
    return !(known.engine() instanceof UnservedEngine)
        && before.engine().equals(after.engine())
        && before.start() == after.start()
        && before.maximum() == after.maximum()
        && before.step() == after.step()
        && before.stepMin() == after.stepMin()
        && before.stepMax() == after.stepMax()
        && before.critical() == after.critical();
  }

  private synchronized void remove(String name) {
    Tag gone = tags.remove(name);
    prefixed.remove(name);
    if (name.equals(Tag.DEFAULT)) {
      defaultTag = null;
    }
    if (gone != null) {
      gone.engine().close();
    }
  }

  /** Closes the engines of all tags. */
  public synchronized void close() {
    tags.values().forEach(tag -> tag.engine().close());
  }
}
