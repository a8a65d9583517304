package dev.idgen.check.simulation;

import dev.idgen.store.ClaimRequest;
import dev.idgen.store.ExtendRequest;
import dev.idgen.store.LeaseReply;
import dev.idgen.store.LeaseTerms;
import dev.idgen.store.ReleaseRequest;
import dev.idgen.store.WorkerStore;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** The store of worker ids as one process reaches it. */
final class StoreLink implements WorkerStore {
  private final World world;
  private final StoreHost host;
  private final SimProcess process;
  private final Link<WorkerStore> link;

  StoreLink(World world, Network network, StoreHost host, SimProcess process) {
    this.world = world;
    this.host = host;
    this.process = process;
    this.link = new Link<>(world, network, host, process);
  }

  void cut(boolean yes) {
    link.cut(yes);
  }

  @Override
  public String kind() {
    return "simulated";
  }

  @Override
  public boolean embedded() {
    return host.embedded();
  }

  @Override
  public CompletionStage<LeaseReply> claim(ClaimRequest request) {
    return call("claim", store -> store.claim(request));
  }

  @Override
  public CompletionStage<LeaseReply> extend(ExtendRequest request) {
    return call("extend", store -> store.extend(request));
  }

  @Override
  public CompletionStage<LeaseReply> release(ReleaseRequest request) {
    return call("release", store -> store.release(request));
  }

  @Override
  public CompletionStage<LeaseReply> revoke(LeaseTerms terms, int workerId) {
    return call("revoke", store -> store.revoke(terms, workerId));
  }

  @Override
  public CompletionStage<LeaseReply> fence(LeaseTerms terms, long wallMillis) {
    return call("fence", store -> store.fence(terms, wallMillis));
  }

  @Override
  public CompletionStage<Listing> list(String namespace) {
    throw new UnsupportedOperationException("list: called (expected: nothing that keepers do)");
  }

  @Override
  public void close() {}

  private CompletionStage<LeaseReply> call(
      String name, Function<WorkerStore, CompletionStage<LeaseReply>> operation) {
    return link.call(name, operation, reply -> note(name, reply));
  }

  private void note(String name, LeaseReply reply) {
    if (reply instanceof LeaseReply.Granted granted) {
      world.note(
          process.number(),
          name + " granted",
          granted.row().workerId(),
          granted.row().horizonMillis());
    } else if (reply instanceof LeaseReply.Refused refused) {
      world.note(process.number(), name + " refused: " + refused.message(), 0, 0);
    }
  }
}
