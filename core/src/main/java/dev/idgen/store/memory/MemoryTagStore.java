package dev.idgen.store.memory;

import dev.idgen.store.StoreException;
import dev.idgen.store.TagChanges;
import dev.idgen.store.TagReply;
import dev.idgen.store.TagRow;
import dev.idgen.store.TagRules;
import dev.idgen.store.TagStore;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Tags in memory, for tests and simulations. Answers before it returns. Thread-safe. */
public final class MemoryTagStore implements TagStore {
  private final Shared shared;
  private volatile boolean closed;

  /** What all clients of one store share. */
  private static final class Shared {
    private final String identity;
    private final Map<String, Map<String, TagRow>> namespaces = new HashMap<>();
    private final Map<String, Long> heads = new HashMap<>();

    Shared(String identity) {
      this.identity = identity;
    }
  }

  /** An empty store. */
  public MemoryTagStore() {
    this("memory");
  }

  /**
   * An empty store.
   *
   * @param identity its name for itself
   */
  public MemoryTagStore(String identity) {
    this(new Shared(identity));
  }

  private MemoryTagStore(Shared shared) {
    this.shared = shared;
  }

  /** Another client of the same store. */
  public MemoryTagStore client() {
    return new MemoryTagStore(shared);
  }

  /**
   * A copy of what the store holds now, as a standby has it at the moment when it is promoted.
   *
   * @param otherIdentity the copy's; the same one stands for a restore that nobody noticed
   */
  public MemoryTagStore replica(String otherIdentity) {
    Shared other = new Shared(otherIdentity);
    synchronized (shared) {
      shared.namespaces.forEach((name, rows) -> other.namespaces.put(name, new HashMap<>(rows)));
      other.heads.putAll(shared.heads);
    }
    return new MemoryTagStore(other);
  }

  @Override
  public CompletionStage<@Nullable TagRow> read(String namespace, String tag) {
    return answer(() -> rows(namespace).get(tag));
  }

  @Override
  public CompletionStage<TagReply> write(String namespace, TagRow next, long knownVersion) {
    return answer(
        () -> {
          long revision = shared.heads.getOrDefault(namespace, 0L) + 1;
          Map<String, TagRow> rows = rows(namespace);
          TagReply reply = TagRules.write(rows.get(next.tag()), next, knownVersion, revision);
          if (reply instanceof TagReply.Written written) {
            rows.put(next.tag(), written.row());
            shared.heads.put(namespace, revision);
          }
          return reply;
        });
  }

  @Override
  public CompletionStage<TagChanges> changes(String namespace, long revision) {
    return answer(
        () -> {
          List<TagRow> later =
              rows(namespace).values().stream()
                  .filter(row -> row.revision() > revision)
                  .sorted(Comparator.comparingLong(TagRow::revision))
                  .toList();
          long head = shared.heads.getOrDefault(namespace, 0L);
          boolean complete = later.size() <= PAGE;
          return new TagChanges(
              shared.identity, head, complete ? later : later.subList(0, PAGE), complete);
        });
  }

  private Map<String, TagRow> rows(String namespace) {
    return shared.namespaces.computeIfAbsent(namespace, n -> new HashMap<>());
  }

  private <T extends @Nullable Object> CompletionStage<T> answer(Supplier<T> work) {
    if (closed) {
      return CompletableFuture.failedFuture(
          StoreException.refused("memory: closed (expected: an open store)"));
    }
    synchronized (shared) {
      return CompletableFuture.completedFuture(work.get());
    }
  }

  @Override
  public void close() {
    closed = true;
  }
}
