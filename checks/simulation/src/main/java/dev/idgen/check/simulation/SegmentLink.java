package dev.idgen.check.simulation;

import dev.idgen.store.Residue;
import dev.idgen.store.SegmentReply;
import dev.idgen.store.SegmentRequest;
import dev.idgen.store.SegmentRow;
import dev.idgen.store.SegmentStore;
import dev.idgen.store.SegmentTerms;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A database of marks as one process reaches it. */
final class SegmentLink implements SegmentStore {
  private final SegmentCluster cluster;
  private final SegmentProcess process;
  private final int database;
  private final Link<SegmentStore> link;

  SegmentLink(SegmentCluster cluster, SegmentProcess process, int database) {
    this.cluster = cluster;
    this.process = process;
    this.database = database;
    this.link =
        new Link<>(cluster.world(), cluster.network(), cluster.hosts().get(database), process);
  }

  int database() {
    return database;
  }

  void cut(boolean yes) {
    link.cut(yes);
  }

  @Override
  public String kind() {
    return "simulated";
  }

  @Override
  public CompletionStage<SegmentReply> allocate(SegmentRequest request) {
    SegmentTerms terms = request.terms();
    return link.call("allocate", store -> store.allocate(request), reply -> judge(terms, reply));
  }

  private void judge(SegmentTerms terms, SegmentReply reply) {
    if (reply instanceof SegmentReply.Granted granted) {
      cluster.world().note(process.number(), terms.tag(), granted.first(), granted.count());
      cluster.ledger(terms.tag()).allocated(database, granted.row());
    } else if (reply instanceof SegmentReply.Refused refused) {
      cluster.world().note(process.number(), refused.message(), 0, 0);
    }
  }

  @Override
  public CompletionStage<SegmentReply> raise(SegmentTerms terms, long floor) {
    throw new UnsupportedOperationException("raise: called (expected: nothing that engines do)");
  }

  @Override
  public CompletionStage<SegmentReply> remove(SegmentTerms terms) {
    throw new UnsupportedOperationException("remove: called (expected: nothing that engines do)");
  }

  @Override
  public CompletionStage<SegmentReply> revive(SegmentTerms terms) {
    throw new UnsupportedOperationException("revive: called (expected: nothing that engines do)");
  }

  @Override
  public CompletionStage<Long> fence(String namespace) {
    throw new UnsupportedOperationException("fence: called (expected: nothing that engines do)");
  }

  @Override
  public CompletionStage<Residue> residue(String namespace, Residue ifNew) {
    throw new UnsupportedOperationException("residue: called (expected: nothing that engines do)");
  }

  @Override
  public CompletionStage<@Nullable SegmentRow> read(String namespace, String tag) {
    throw new UnsupportedOperationException("read: called (expected: nothing that engines do)");
  }

  @Override
  public void close() {}
}
