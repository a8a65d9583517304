package dev.idgen.check.simulation;

import dev.idgen.store.Residue;
import dev.idgen.store.SegmentReply;
import dev.idgen.store.SegmentRequest;
import dev.idgen.store.SegmentRow;
import dev.idgen.store.SegmentStore;
import dev.idgen.store.SegmentTerms;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A database of marks as one server reaches it. */
final class MarkLink implements SegmentStore {
  private final TagJudge judge;
  private final int database;
  private final Link<SegmentStore> fetches; // whose answers may never come
  private final Link<SegmentStore> orders; // whose failures a driver tells

  MarkLink(TagCluster cluster, TagServer server, int database) {
    this.judge = cluster.judge();
    this.database = database;
    SegmentHost host = cluster.marks().get(database);
    this.fetches = new Link<>(cluster.world(), cluster.network(), host, server);
    this.orders = new Link<>(cluster.world(), cluster.steady(), host, server);
  }

  void cut(boolean yes) {
    fetches.cut(yes);
    orders.cut(yes);
  }

  @Override
  public String kind() {
    return "simulated";
  }

  @Override
  public CompletionStage<SegmentReply> allocate(SegmentRequest request) {
    String tag = request.terms().tag();
    return fetches.call(
        "allocate",
        store -> store.allocate(request),
        reply -> {
          if (reply instanceof SegmentReply.Granted granted) {
            judge.given(database, tag, granted);
          }
        });
  }

  @Override
  public CompletionStage<SegmentReply> raise(SegmentTerms terms, long floor) {
    return orders.call("raise", store -> store.raise(terms, floor), reply -> {});
  }

  @Override
  public CompletionStage<SegmentReply> remove(SegmentTerms terms) {
    return orders.call("remove", store -> store.remove(terms), reply -> {});
  }

  @Override
  public CompletionStage<SegmentReply> revive(SegmentTerms terms) {
    return orders.call("revive", store -> store.revive(terms), reply -> judge.revived(terms.tag()));
  }

  @Override
  public CompletionStage<Residue> residue(String namespace, Residue ifNew) {
    return orders.call("residue", store -> store.residue(namespace, ifNew), reply -> {});
  }

  @Override
  public CompletionStage<Long> fence(String namespace) {
    throw new UnsupportedOperationException("fence: called (expected: nothing that servers do)");
  }

  @Override
  public CompletionStage<@Nullable SegmentRow> read(String namespace, String tag) {
    throw new UnsupportedOperationException("read: called (expected: nothing that servers do)");
  }

  @Override
  public void close() {}
}
