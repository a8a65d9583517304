package dev.idgen.check.simulation;

import dev.idgen.server.service.Tag;
import dev.idgen.store.TagRow;
import dev.idgen.store.TagStore;
import dev.idgen.store.memory.MemoryTagStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where the tags are kept: a primary, what a standby knew some time ago, and what was written since
 * the primary is one. Whatever the standby had not heard of is lost when it takes over.
 */
final class TagHost implements Server<TagStore> {
  private final World world;
  private final List<Entry> history = new ArrayList<>(); // of this primary
  private MemoryTagStore primary = new MemoryTagStore("tags-1");
  private MemoryTagStore standby = primary.replica("tags-1");
  private String identity = "tags-1";
  private int generation = 1;
  private int identities = 1;
  private long sinceNanos;
  private boolean down;

  TagHost(World world) {
    this.world = world;
  }

  /** A row from a time on. */
  private record Entry(long nanos, TagRow row) {}

  @Override
  public boolean down() {
    return down;
  }

  void down(boolean yes) {
    down = yes;
    world.note(-1, yes ? "tags down" : "tags up", 0, 0);
  }

  @Override
  public <R> CompletionStage<R> apply(Function<TagStore, CompletionStage<R>> operation) {
    return operation.apply(primary);
  }

  /** Counts the primaries: a connection to one ends with it. */
  int generation() {
    return generation;
  }

  /** When this primary became one. */
  long sinceNanos() {
    return sinceNanos;
  }

  void wrote(TagRow row) {
    history.add(new Entry(world.nowNanos(), row));
    world.note(-1, row.removed() ? "tag removed" : "tag written", row.revision(), row.floor());
  }

  /**
   * Whether a server may know this of a tag that has heard of all that was written up to a time.
   *
   * @param view null: that there is none
   */
  boolean mayBeKnown(String tag, @Nullable TagRow view, long heardNanos) {
    TagRow old = null;
    for (Entry entry : history) {
      if (!entry.row.tag().equals(tag)) {
        continue;
      }
      if (entry.nanos <= heardNanos) {
        old = entry.row;
      } else if (isSame(entry.row, view)) {
        return true;
      }
    }
    return isSame(old, view);
  }

  private static boolean isSame(@Nullable TagRow row, @Nullable TagRow view) {
    boolean none = row == null || row.removed();
    return view == null ? none : view.equals(row);
  }

  /** What the primary has of a tag. */
  @Nullable TagRow row(String tag) {
    return primary.read(TagPlan.NAMESPACE, tag).toCompletableFuture().join();
  }

  /** Whether the tag was written once more after a revision: removed, or not. */
  boolean wroteAfter(String tag, long revision, boolean removed) {
    return history.stream()
        .map(Entry::row)
        .anyMatch(
            row -> row.tag().equals(tag) && row.revision() > revision && row.removed() == removed);
  }

  /** When a row was written; -1: this primary does not know it. */
  long writtenNanos(TagRow row) {
    return history.stream()
        .filter(entry -> entry.row.equals(row))
        .mapToLong(Entry::nanos)
        .findFirst()
        .orElse(-1);
  }

  // ---- losses

  /** The standby has caught up to here. */
  void replicate() {
    standby = primary.replica(identity);
  }

  /** Whether it has heard of the tag that servers make where it is missing. */
  boolean standbyHasTheDefault() {
    return standby.read(TagPlan.NAMESPACE, Tag.DEFAULT).toCompletableFuture().join() != null;
  }

  /** The standby takes over, without what it had not heard of. */
  void failOver() {
    identity = "tags-" + ++identities;
    promote();
    world.note(-1, "tags: failover", identities, 0);
  }

  /** What the standby knew is put in the primary's place, and only its last revision tells. */
  void restoreUnnoticed() {
    promote();
    world.note(-1, "tags: restored unnoticed", 0, 0);
  }

  private void promote() {
    primary.close();
    primary = standby.replica(identity);
    generation++;
    sinceNanos = world.nowNanos();
    history.clear();
    var all = primary.changes(TagPlan.NAMESPACE, 0).toCompletableFuture().join();
    all.rows().forEach(row -> history.add(new Entry(sinceNanos, row)));
    replicate();
  }
}
