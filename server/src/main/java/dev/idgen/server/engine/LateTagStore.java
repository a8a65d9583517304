package dev.idgen.server.engine;

import dev.idgen.store.StoreException;
import dev.idgen.store.TagChanges;
import dev.idgen.store.TagReply;
import dev.idgen.store.TagRow;
import dev.idgen.store.TagStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A store that is being opened: until it is, calls are refused at once, and say why. */
final class LateTagStore implements TagStore {
  private final Opening<TagStore> opening;

  LateTagStore(Opening<TagStore> opening) {
    this.opening = opening;
  }

  private <T extends @Nullable Object> CompletionStage<T> when(
      Function<TagStore, CompletionStage<T>> call) {
    if (!opening.usable().isDone()) {
      return CompletableFuture.failedFuture(StoreException.refused(opening.problem()));
    }
    return opening.usable().thenCompose(call);
  }

  @Override
  public CompletionStage<@Nullable TagRow> read(String namespace, String tag) {
    return when(store -> store.read(namespace, tag));
  }

  @Override
  public CompletionStage<TagReply> write(String namespace, TagRow next, long knownVersion) {
    return when(store -> store.write(namespace, next, knownVersion));
  }

  @Override
  public CompletionStage<TagChanges> changes(String namespace, long revision) {
    return when(store -> store.changes(namespace, revision));
  }

  /** Whoever opens it closes it. */
  @Override
  public void close() {
    opening.stop();
  }
}
