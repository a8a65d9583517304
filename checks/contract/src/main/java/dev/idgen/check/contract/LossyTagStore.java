package dev.idgen.check.contract;

import dev.idgen.store.TagChanges;
import dev.idgen.store.TagReply;
import dev.idgen.store.TagRow;
import dev.idgen.store.TagStore;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Tags behind a {@link LossyNetwork}; reads arrive. Thread-safe. */
public final class LossyTagStore implements TagStore {
  private final TagStore store;
  private final LossyNetwork network;

  /**
   * Puts a bad network before a store.
   *
   * @param store closed with this one
   */
  public LossyTagStore(TagStore store, LossyNetwork network) {
    this.store = store;
    this.network = network;
  }

  /** Lets every late write arrive now, the latest first. Their answers reach nobody. */
  public void deliverLate() {
    network.deliverLate();
  }

  /** How many replies were lost so far. */
  public int repliesLost() {
    return network.repliesLost();
  }

  @Override
  public CompletionStage<@Nullable TagRow> read(String namespace, String tag) {
    return store.read(namespace, tag);
  }

  @Override
  public CompletionStage<TagReply> write(String namespace, TagRow next, long knownVersion) {
    return network.sent(() -> store.write(namespace, next, knownVersion));
  }

  @Override
  public CompletionStage<TagChanges> changes(String namespace, long revision) {
    return store.changes(namespace, revision);
  }

  @Override
  public void close() {
    store.close();
  }
}
