package dev.idgen.check.contract;

import dev.idgen.store.Residue;
import dev.idgen.store.SegmentReply;
import dev.idgen.store.SegmentRequest;
import dev.idgen.store.SegmentRow;
import dev.idgen.store.SegmentStore;
import dev.idgen.store.SegmentTerms;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Marks behind a {@link LossyNetwork}; reads arrive. Thread-safe. */
public final class LossySegmentStore implements SegmentStore {
  private final SegmentStore store;
  private final LossyNetwork network;

  /**
   * Puts a bad network before a store.
   *
   * @param store closed with this one
   */
  public LossySegmentStore(SegmentStore store, LossyNetwork network) {
    this.store = store;
    this.network = network;
  }

  /** Lets every late request arrive now, the latest first. Their answers reach nobody. */
  public void deliverLate() {
    network.deliverLate();
  }

  /** How many replies were lost so far. */
  public int repliesLost() {
    return network.repliesLost();
  }

  @Override
  public String kind() {
    return store.kind();
  }

  @Override
  public CompletionStage<SegmentReply> allocate(SegmentRequest request) {
    return network.sent(() -> store.allocate(request));
  }

  @Override
  public CompletionStage<SegmentReply> raise(SegmentTerms terms, long floor) {
    return network.sent(() -> store.raise(terms, floor));
  }

  @Override
  public CompletionStage<SegmentReply> remove(SegmentTerms terms) {
    return network.sent(() -> store.remove(terms));
  }

  @Override
  public CompletionStage<SegmentReply> revive(SegmentTerms terms) {
    return network.sent(() -> store.revive(terms));
  }

  @Override
  public CompletionStage<Long> fence(String namespace) {
    return network.sent(() -> store.fence(namespace));
  }

  @Override
  public CompletionStage<Residue> residue(String namespace, Residue ifNew) {
    return network.sent(() -> store.residue(namespace, ifNew));
  }

  @Override
  public CompletionStage<@Nullable SegmentRow> read(String namespace, String tag) {
    return store.read(namespace, tag);
  }

  @Override
  public void close() {
    store.close();
  }
}
