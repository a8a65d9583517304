package dev.idgen.server.service;

import dev.idgen.store.TagRow;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Makes tags whose names have a known pattern when they are first asked for. A tag that was removed
 * is not made again: that somebody still asks for it may be why it was removed. Thread-safe.
 */
public final class AutoTags {
  private final TagAdmin admin;
  private final List<String> patterns;
  private final String engine;
  private final int most;
  private final AtomicInteger made = new AtomicInteger(); // by this process; at most some above

  /** Tags that are being made: several who ask at once wait for one. */
  private final Map<String, CompletableFuture<TagRow>> making = new ConcurrentHashMap<>();

  /**
   * Makes tags of these names.
   *
   * @param patterns names, of which the last character may be {@code *}
   * @param engine of the tags
   * @param most how many this process makes
   */
  public AutoTags(TagAdmin admin, List<String> patterns, EngineKind engine, int most) {
    this.admin = admin.as("auto-create");
    this.patterns = List.copyOf(patterns);
    this.engine = engine.word();
    this.most = most;
  }

  /** Whether a tag of this name is made when it is asked for. */
  boolean wants(String name) {
    return patterns.stream().anyMatch(pattern -> Caller.matches(pattern, name));
  }

  /**
   * Makes a tag, or finds the one that another server has made.
   *
   * @return completes when it can be found; fails with a {@link ServiceException}
   */
  CompletableFuture<TagRow> make(String name) {
    CompletableFuture<TagRow> mine = new CompletableFuture<>();
    CompletableFuture<TagRow> other = making.putIfAbsent(name, mine);
    if (other != null) {
      return other;
    }
    var unused =
        begin(name)
            .whenComplete(
                (row, failure) -> {
                  making.remove(name);
                  if (failure == null) {
                    mine.complete(row);
                  } else {
                    mine.completeExceptionally(failure);
                  }
                });
    return mine;
  }

  private CompletableFuture<TagRow> begin(String name) {
    if (made.get() >= most) {
      return CompletableFuture.failedFuture(
          new ServiceException(
              ServiceReason.UNKNOWN_TAG,
              "tag: "
                  + name
                  + " (expected: one that was made; this server has made "
                  + most
                  + " already)"));
    }
    try {
      return admin
          .makeIfNever(name, engine)
          .thenApply(
              put -> {
                if (put.made()) {
                  made.incrementAndGet();
                }
                return put.row();
              })
          .toCompletableFuture();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
