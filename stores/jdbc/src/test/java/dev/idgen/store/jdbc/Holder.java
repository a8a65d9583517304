package dev.idgen.store.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.idgen.check.contract.SettableWall;
import dev.idgen.store.BehindPolicy;
import dev.idgen.store.ClaimRequest;
import dev.idgen.store.ExtendRequest;
import dev.idgen.store.LeaseReply;
import dev.idgen.store.LeaseTerms;
import dev.idgen.store.Refusal;
import dev.idgen.store.StoreException;
import dev.idgen.store.WorkerRow;
import dev.idgen.store.WorkerStore;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A process that holds one worker id, and remembers of it what a keeper does. What the store does
 * not answer it asks again, as a keeper does. For one thread.
 */
final class Holder {
  static final LeaseTerms TERMS =
      new LeaseTerms("default", "time:41,worker:10,sequence:12;tick 1 ms", 60_000, 5_000, 1_000);
  static final long MAX_WAIT_MS = 10;

  private static final int TRIES = 20;
  private static final AtomicLong NUMBERS = new AtomicLong(1);

  private final LeaseTerms terms;
  private final SettableWall time;
  private final GrantedCells cells;
  private final String owner = "holder-" + NUMBERS.getAndIncrement();
  private @Nullable WorkerRow row;
  private long earlierToken;

  Holder(String namespace, SettableWall time, GrantedCells cells) {
    this.terms = terms(namespace);
    this.time = time;
    this.cells = cells;
  }

  static LeaseTerms terms(String namespace) {
    return new LeaseTerms(
        namespace, TERMS.layout(), TERMS.windowMs(), TERMS.reuseDelayMs(), TERMS.maxSkewMs());
  }

  /** What was last acknowledged. */
  WorkerRow row() {
    return Objects.requireNonNull(row);
  }

  /** Claims the first worker id of a namespace. */
  Holder begins(WorkerStore store, int workerId) {
    WorkerRow unused = granted(claim(store, workerId, true));
    return this;
  }

  /** Claims a worker id. */
  Holder claims(WorkerStore store, int workerId) {
    WorkerRow unused = granted(claim(store, workerId, false));
    return this;
  }

  LeaseReply claim(WorkerStore store, int workerId, boolean newCluster) {
    var request =
        new ClaimRequest(
            terms,
            owner,
            NUMBERS.getAndIncrement(),
            NUMBERS.getAndIncrement(),
            workerId,
            workerId,
            -1,
            time.wallMillis(),
            MAX_WAIT_MS,
            BehindPolicy.REFUSE,
            newCluster);
    LeaseReply reply = answered(() -> store.claim(request));
    if (reply instanceof LeaseReply.Granted granted) {
      cells.add(terms.namespace(), granted.row());
      row = granted.row();
      earlierToken = 0;
    }
    return reply;
  }

  LeaseReply extend(WorkerStore store) {
    WorkerRow known = row();
    var request =
        new ExtendRequest(
            terms,
            known.workerId(),
            known.generation(),
            known.token(),
            earlierToken,
            NUMBERS.getAndIncrement(),
            time.wallMillis(),
            time.wallMillis());
    LeaseReply reply = answered(() -> store.extend(request));
    if (reply instanceof LeaseReply.Granted granted) {
      cells.add(terms.namespace(), granted.row());
      earlierToken = known.token();
      row = granted.row();
    }
    return reply;
  }

  static WorkerRow granted(LeaseReply reply) {
    return assertInstanceOf(LeaseReply.Granted.class, reply, reply.toString()).row();
  }

  static LeaseReply.Refused refused(Refusal reason, LeaseReply reply) {
    var refused = assertInstanceOf(LeaseReply.Refused.class, reply, reply.toString());
    assertEquals(reason, refused.reason(), refused.message());
    return refused;
  }

  /** The connections of before a failover are found to be gone one by one. */
  static <T> T answered(Supplier<CompletionStage<T>> asking) {
    for (int i = 1; i < TRIES; i++) {
      try {
        return asking.get().toCompletableFuture().join();
      } catch (CompletionException e) {
        assertInstanceOf(StoreException.class, e.getCause());
      }
    }
    return asking.get().toCompletableFuture().join();
  }
}
