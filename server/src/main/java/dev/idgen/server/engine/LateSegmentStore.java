package dev.idgen.server.engine;

import dev.idgen.store.Residue;
import dev.idgen.store.SegmentReply;
import dev.idgen.store.SegmentRequest;
import dev.idgen.store.SegmentRow;
import dev.idgen.store.SegmentStore;
import dev.idgen.store.SegmentTerms;
import dev.idgen.store.StoreException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A store that is being opened: until it is, calls are refused at once, and say why. */
final class LateSegmentStore implements SegmentStore {
  private final String kind;
  private final Opening<SegmentStore> opening;

  LateSegmentStore(String kind, Opening<SegmentStore> opening) {
    this.kind = kind;
    this.opening = opening;
  }

  private <T extends @Nullable Object> CompletionStage<T> when(
      Function<SegmentStore, CompletionStage<T>> call) {
    if (!opening.usable().isDone()) {
      return CompletableFuture.failedFuture(StoreException.refused(opening.problem()));
    }
    return opening.usable().thenCompose(call);
  }

  @Override
  public String kind() {
    return kind;
  }

  @Override
  public CompletionStage<SegmentReply> allocate(SegmentRequest request) {
    return when(store -> store.allocate(request));
  }

  @Override
  public CompletionStage<SegmentReply> raise(SegmentTerms terms, long floor) {
    return when(store -> store.raise(terms, floor));
  }

  @Override
  public CompletionStage<SegmentReply> remove(SegmentTerms terms) {
    return when(store -> store.remove(terms));
  }

  @Override
  public CompletionStage<SegmentReply> revive(SegmentTerms terms) {
    return when(store -> store.revive(terms));
  }

  @Override
  public CompletionStage<Long> fence(String namespace) {
    return when(store -> store.fence(namespace));
  }

  @Override
  public CompletionStage<Residue> residue(String namespace, Residue ifNew) {
    return when(store -> store.residue(namespace, ifNew));
  }

  @Override
  public CompletionStage<@Nullable SegmentRow> read(String namespace, String tag) {
    return when(store -> store.read(namespace, tag));
  }

  /** Whoever opens it closes it. */
  @Override
  public void close() {
    opening.stop();
  }
}
