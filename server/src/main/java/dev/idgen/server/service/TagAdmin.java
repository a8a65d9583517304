package dev.idgen.server.service;

import dev.idgen.store.SegmentReply;
import dev.idgen.store.SegmentStore;
import dev.idgen.store.SegmentTerms;
import dev.idgen.store.StoreException;
import dev.idgen.store.TagReply;
import dev.idgen.store.TagRow;
import dev.idgen.store.TagStore;
import dev.idgen.time.TimeSource;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes, changes, raises and removes tags. Thread-safe; nothing here blocks the caller. What is
 * answered is in the store, and known to this process; others hear of it within seconds.
 *
 * <p>Every call may be repeated: a lost answer leaves nothing half done that a repetition does not
 * end.
 */
public final class TagAdmin {
  /** As a known version: there must be no such tag. */
  public static final long ABSENT = 0;

  /** As a known version: there must be such a tag, at whatever version. */
  public static final long PRESENT = -1;

  private static final int ATTEMPTS = 5;

  private final String namespace;
  private final TagRow defaults;
  private final TagStore tags;
  private final SegmentStore segments;
  private final Function<TagRow, SegmentTerms> terms;
  private final TagDirectory directory;
  private final TimeSource time;
  private final TagEvents events;
  private final String by;

  /**
   * An administration of one namespace.
   *
   * @param defaults of a new tag; its name is not looked at
   * @param segments keeps the marks of tags
   * @param terms of a tag's mark
   * @param directory hears of changes at once
   */
  public TagAdmin(
      String namespace,
      TagRow defaults,
      TagStore tags,
      SegmentStore segments,
      Function<TagRow, SegmentTerms> terms,
      TagDirectory directory,
      TimeSource time,
      TagEvents events) {
    this(namespace, defaults, tags, segments, terms, directory, time, events, "");
  }

  private TagAdmin(
      String namespace,
      TagRow defaults,
      TagStore tags,
      SegmentStore segments,
      Function<TagRow, SegmentTerms> terms,
      TagDirectory directory,
      TimeSource time,
      TagEvents events,
      String by) {
    this.namespace = namespace;
    this.defaults = defaults;
    this.tags = tags;
    this.segments = segments;
    this.terms = terms;
    this.directory = directory;
    this.time = time;
    this.events = events;
    this.by = by;
  }

  /**
   * The same for one administrator.
   *
   * @param name for the audit log
   */
  public TagAdmin as(String name) {
    return new TagAdmin(namespace, defaults, tags, segments, terms, directory, time, events, name);
  }

  /**
   * One page of the tags, as this process knows them; without those whose rows cannot be read.
   *
   * @param size 1 or more
   * @param after the last name of the page before; empty: none
   * @return in the order of their names, at most {@code size}
   */
  public List<TagRow> list(int size, String after) {
    if (!directory.problem().isEmpty()) {
      throw new ServiceException(
          ServiceReason.STORE_UNAVAILABLE, "tags: not known yet: " + directory.problem(), 1000);
    }
    return directory.all().stream()
        .filter(Tag::isRead)
        .map(Tag::row)
        .filter(row -> row.tag().compareTo(after) > 0)
        .sorted(Comparator.comparing(TagRow::tag))
        .limit(size)
        .toList();
  }

  /**
   * One tag, as the store has it.
   *
   * @return fails with {@link ServiceReason#UNKNOWN_TAG}
   */
  public CompletionStage<TagRow> get(String name) {
    Tag.requireName(name);
    return tags.read(namespace, name).thenApply(row -> requireThere(row, name));
  }

  private static TagRow requireThere(@Nullable TagRow row, String name) {
    if (row == null || row.removed()) {
      throw new ServiceException(
          ServiceReason.UNKNOWN_TAG, "tag: " + name + " (expected: one that was made)");
    }
    return row;
  }

  /**
   * What a write did.
   *
   * @param row as it is now
   * @param made whether there was no such tag before
   */
  public record Put(TagRow row, boolean made) {}

  /**
   * Makes a tag, or changes it. Asked for what there is already, it writes nothing.
   *
   * @param knownVersion the tag must be at this one; or {@link #ABSENT}, {@link #PRESENT}; null:
   *     whatever it is
   * @param force changes its engine although ids were issued
   */
  public CompletionStage<Put> put(
      String name, TagChange change, @Nullable Long knownVersion, boolean force) {
    Tag.requireName(name);
    return put(name, change, knownVersion, force, ATTEMPTS);
  }

  /**
   * Makes a tag of which there never was one, or finds the one that there is.
   *
   * @return fails with {@link ServiceReason#UNKNOWN_TAG} where it was removed
   */
  CompletionStage<Put> makeIfNever(String name, String engine) {
    Tag.requireName(name);
    return tags.read(namespace, name)
        .thenCompose(
            found -> {
              if (found == null) {
                return put(name, TagChange.toEngine(engine), null, false);
              }
              TagRow row = requireThere(found, name);
              directory.applyOwn(row); // another server has just made it
              return CompletableFuture.completedFuture(new Put(row, false));
            });
  }

  private CompletionStage<Put> put(
      String name, TagChange change, @Nullable Long knownVersion, boolean force, int attempts) {
    return tags.read(namespace, name)
        .thenCompose(
            before -> {
              TagRow next = merged(name, before, change);
              boolean there = before != null && !before.removed() && sameButTimes(before, next);
              if (there && (knownVersion == null || before.version() == knownVersion + 1)) {
                return unchanged(before); // perhaps by this very call, whose answer was lost
              }
              requireVersion(name, before, knownVersion);
              requireEngine(before, next, force);
              if (there) {
                return unchanged(before);
              }
              return (before == null ? begun(next) : ready(next))
                  .thenCompose(
                      done ->
                          told(
                              tags.write(namespace, next, version(before)),
                              told -> toldOfWrite(told, before, next, force)))
                  .thenCompose(
                      reply -> {
                        if (reply instanceof TagReply.Written written) {
                          return written(before, written.row(), force);
                        }
                        if (attempts <= 1) {
                          throw conflict(name, "changes all the time (expected: fewer writers)");
                        }
                        return put(name, change, knownVersion, force, attempts - 1);
                      });
            });
  }

  /** Nothing is written but, where a removal came between, what its mark still bears. */
  private CompletionStage<Put> unchanged(TagRow row) {
    directory.applyOwn(row);
    return ready(row).thenApply(done -> new Put(row, false));
  }

  /**
   * A removal that was under way may have reached the mark after this call had made it ready, and
   * found the tag still removed: of the two, one sees the other's write.
   */
  private CompletionStage<Put> written(@Nullable TagRow before, TagRow after, boolean force) {
    directory.applyOwn(after);
    toldOfWrite(events, before, after, force);
    Put put = new Put(after, before == null || before.removed());
    return before != null && before.removed()
        ? ready(after).thenApply(done -> put)
        : CompletableFuture.completedFuture(put);
  }

  private void toldOfWrite(TagEvents heard, @Nullable TagRow before, TagRow after, boolean force) {
    TagRow live = before == null || before.removed() ? null : before;
    boolean other = before != null && !before.engine().equals(after.engine());
    heard.tagWritten(after, live, by, force && other);
  }

  /** A write whose answer is lost may be in the store: it is told of like the others. */
  private <T> CompletionStage<T> told(CompletionStage<T> write, Consumer<TagEvents> event) {
    return write.whenComplete(
        (reply, failure) -> {
          if (failure != null && isUnknown(failure)) {
            event.accept(events.unknown());
          }
        });
  }

  private static boolean isUnknown(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause instanceof StoreException lost && lost.outcomeUnknown();
  }

  private static long version(@Nullable TagRow row) {
    return row == null ? 0 : row.version();
  }

  private static void requireVersion(String name, @Nullable TagRow row, @Nullable Long known) {
    if (known == null) {
      return;
    }
    long there = row == null || row.removed() ? ABSENT : row.version();
    if (known != there && (known != PRESENT || there == ABSENT)) {
      throw conflict(
          name,
          (there == ABSENT ? "absent" : "at version " + there)
              + " (expected: "
              + shown(known)
              + ")");
    }
  }

  private static String shown(long known) {
    return known == ABSENT ? "none" : known == PRESENT ? "a tag" : "version " + known;
  }

  private static ServiceException conflict(String name, String state) {
    return new ServiceException(ServiceReason.VERSION_CONFLICT, "tag: " + name + ": " + state);
  }

  private TagRow merged(String name, @Nullable TagRow before, TagChange change) {
    long now = time.wallMillis();
    try {
      TagRow next =
          before == null
              ? change.onNew(defaults.named(name, now), now)
              : before.removed()
                  ? change.onNew(defaults.succeeding(before, now), now)
                  : change.on(before, now);
      directory.requireServed(next);
      requireOneDatabase(next);
      return next;
    } catch (IllegalArgumentException e) {
      throw new ServiceException(ServiceReason.INVALID_BODY, String.valueOf(e.getMessage()));
    }
  }

  /** Order over several databases, or several regions, cannot be had. */
  private void requireOneDatabase(TagRow next) {
    int parts = terms.apply(next).modulus();
    if (EngineKind.of(next.engine()) == EngineKind.SEQUENCE && parts != 1) {
      throw new IllegalArgumentException(
          "engine: sequence (expected: another one, as "
              + parts
              + " databases and regions share the ids)");
    }
  }

  /** Ids of another engine may be those that were issued: a tombstone remembers its engine. */
  private static void requireEngine(@Nullable TagRow before, TagRow next, boolean force) {
    if (before != null && !before.engine().equals(next.engine()) && !force) {
      throw new ServiceException(
          ServiceReason.ENGINE_MISMATCH,
          "engine: "
              + next.engine()
              + " (expected: "
              + before.engine()
              + ", since ids may have been issued; ?force=true changes it, and ids of both engines"
              + " may then be equal)");
    }
  }

  private static boolean sameButTimes(TagRow before, TagRow next) {
    return next.updatedAt(before.updatedMillis()).equals(before);
  }

  /** A mark with a tombstone must be in use again before its tag is. */
  private CompletionStage<TagRow> ready(TagRow next) {
    return marked(next)
        ? segments.revive(terms.apply(next)).thenApply(done -> next)
        : CompletableFuture.completedFuture(next);
  }

  /** The same for a tag that never was. */
  private CompletionStage<TagRow> begun(TagRow next) {
    return marked(next)
        ? segments.begin(terms.apply(next)).thenApply(done -> next)
        : CompletableFuture.completedFuture(next);
  }

  private static boolean marked(TagRow row) {
    EngineKind kind = EngineKind.of(row.engine());
    return kind != null && kind.marked();
  }

  /**
   * Removes a tag. Its mark stays: made again, it goes on above.
   *
   * @param knownVersion the tag must be at this one; null: whatever it is
   */
  public CompletionStage<TagRow> remove(String name, @Nullable Long knownVersion) {
    Tag.requireName(name);
    return remove(name, knownVersion, ATTEMPTS);
  }

  private CompletionStage<TagRow> remove(String name, @Nullable Long knownVersion, int attempts) {
    return tags.read(namespace, name)
        .thenCompose(
            found -> {
              if (found != null && found.removed()) {
                return again(found);
              }
              TagRow before = requireThere(found, name);
              requireVersion(name, before, knownVersion);
              TagRow next = before.removedAt(time.wallMillis());
              return told(
                      tags.write(namespace, next, before.version()),
                      told -> told.tagRemoved(next, by))
                  .thenCompose(
                      reply -> {
                        if (reply instanceof TagReply.Written written) {
                          return removed(written.row());
                        }
                        if (attempts <= 1) {
                          throw conflict(name, "changes all the time (expected: fewer writers)");
                        }
                        return remove(name, knownVersion, attempts - 1);
                      });
            });
  }

  /** First nobody may find the tag any more, then its mark gives nothing more. */
  private CompletionStage<TagRow> removed(TagRow tombstone) {
    directory.applyOwn(tombstone);
    events.tagRemoved(tombstone, by);
    return markRemoved(tombstone).thenApply(done -> tombstone);
  }

  /** An earlier removal may have ended between its two steps: the second one is done again. */
  private CompletionStage<TagRow> again(TagRow tombstone) {
    directory.applyOwn(tombstone);
    return markRemoved(tombstone).thenApply(done -> requireThere(tombstone, tombstone.tag()));
  }

  /** A tag that was made again meanwhile must not be left with a mark that gives nothing. */
  private CompletionStage<TagRow> markRemoved(TagRow tombstone) {
    if (!marked(tombstone)) {
      return CompletableFuture.completedFuture(tombstone);
    }
    return segments
        .remove(terms.apply(tombstone))
        .thenCompose(done -> tags.read(namespace, tombstone.tag()))
        .thenCompose(
            now ->
                now == null || now.removed()
                    ? CompletableFuture.completedFuture(tombstone)
                    : ready(now));
  }

  /**
   * Keeps every later id of a tag at or above a floor: at once here and in the store, within
   * seconds on every server.
   *
   * @param floor one that is not above what there is changes nothing
   * @param knownVersion as {@link #put} takes it. A call that finds another version only when it
   *     writes the tag has raised the mark already: that leaves a gap, and no more
   */
  public CompletionStage<TagRow> raise(String name, long floor, @Nullable Long knownVersion) {
    Tag.requireName(name);
    return raise(name, floor, knownVersion, ATTEMPTS);
  }

  private CompletionStage<TagRow> raise(
      String name, long floor, @Nullable Long knownVersion, int attempts) {
    return tags.read(namespace, name)
        .thenCompose(
            found -> {
              TagRow before = requireThere(found, name);
              if (!isRaisedBy(before, floor, knownVersion)) {
                requireVersion(name, before, knownVersion);
              }
              requireRaisable(before, floor);
              // The mark first: what is fetched after the others have heard is above the floor.
              // Also where the tag says so already: the mark's database may have lost it.
              return told(
                      segments.raise(terms.apply(before), floor),
                      told -> told.tagRaised(before.raisedTo(floor, time.wallMillis()), by))
                  .thenCompose(reply -> raised(before, floor, knownVersion, reply, attempts));
            });
  }

  /** Perhaps by this very call, whose answer was lost. */
  private static boolean isRaisedBy(TagRow row, long floor, @Nullable Long knownVersion) {
    return knownVersion != null && row.version() == knownVersion + 1 && row.floor() == floor;
  }

  private CompletionStage<TagRow> raised(
      TagRow before, long floor, @Nullable Long knownVersion, SegmentReply reply, int attempts) {
    if (reply instanceof SegmentReply.Refused refused) {
      throw new ServiceException(ServiceReason.UNKNOWN_TAG, refused.message());
    }
    if (floor <= before.floor()) {
      directory.applyOwn(before);
      return CompletableFuture.completedFuture(before);
    }
    TagRow next = before.raisedTo(floor, time.wallMillis());
    return told(tags.write(namespace, next, before.version()), told -> told.tagRaised(next, by))
        .thenCompose(
            answer -> {
              if (answer instanceof TagReply.Written written) {
                directory.applyOwn(written.row());
                events.tagRaised(written.row(), by);
                return CompletableFuture.completedFuture(written.row());
              }
              if (attempts <= 1) {
                throw conflict(before.tag(), "changes all the time (expected: fewer writers)");
              }
              return raise(before.tag(), floor, knownVersion, attempts - 1);
            });
  }

  private static void requireRaisable(TagRow row, long floor) {
    if (!marked(row)) {
      throw new ServiceException(
          ServiceReason.ENGINE_MISMATCH,
          "engine: " + row.engine() + " (expected: segment, sequence: the others have no mark)");
    }
    if (floor < row.start() || floor > row.maximum()) {
      throw new ServiceException(
          ServiceReason.INVALID_BODY,
          "to: " + floor + " (expected: " + row.start() + ".." + row.maximum() + ")");
    }
  }
}
