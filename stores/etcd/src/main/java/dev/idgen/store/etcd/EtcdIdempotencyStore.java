package dev.idgen.store.etcd;

import dev.idgen.entropy.Entropy;
import dev.idgen.store.IdempotencyDecision;
import dev.idgen.store.IdempotencyEntry;
import dev.idgen.store.IdempotencyReply;
import dev.idgen.store.IdempotencyRequest;
import dev.idgen.store.IdempotencyRow;
import dev.idgen.store.IdempotencyRules;
import dev.idgen.store.IdempotencySnapshot;
import dev.idgen.store.IdempotencyStore;
import dev.idgen.store.RowText;
import dev.idgen.store.StoreAddress;
import dev.idgen.store.StoreException;
import dev.idgen.store.etcd.Keys.End;
import dev.idgen.store.etcd.Session.Change;
import dev.idgen.time.TimeSource;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.Op;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Idempotency keys in etcd, one key of etcd's for each, over one client on one thread. Thread-safe.
 *
 * <p>Beside each entry are two keys that bear its end in their names, so that those which have
 * expired are found without reading the others; and a count for each slot of a caller. All are
 * written in one transaction with the entry. etcd's own leases are not used: a lease that ends
 * takes its keys away and leaves the counts as they were.
 */
public final class EtcdIdempotencyStore implements IdempotencyStore {
  // The order of the answers.
  private static final int ENTRY = 0;
  private static final int FIRST_SLOT = 1;

  /** The count comes first where ends are read. */
  private static final int COUNT = 0;

  /** Expired entries of one transaction: three keys each, and etcd takes 128 operations. */
  private static final int PART = 32;

  /** How many expired entries of a caller are deleted when it has no room. */
  private static final int ROOM = 128;

  /** How long a reading of the clock is gone on from: it is a second out anyway. */
  private static final long CLOCK_NANOS = 10_000_000_000L;

  private final Session session;
  private final Keys keys;
  private final StoreClock clock; // as what follows, of the session's thread alone
  private boolean clockRead;
  private long clockReadAtNanos;

  private EtcdIdempotencyStore(Session session, StoreClock clock) {
    this.session = session;
    this.keys = session.keys();
    this.clock = clock;
  }

  /**
   * Opens the store of an etcd cluster, and gives it an identity if it has none.
   *
   * @param url as for {@link EtcdWorkerStore#open}
   * @throws IllegalArgumentException it is no such address
   * @throws StoreException the cluster cannot be used: the message says what to do
   */
  public static EtcdIdempotencyStore open(String url) {
    StoreAddress address = Session.parse(url);
    return open(address, new MemberClock(address, TimeSource.system()));
  }

  static EtcdIdempotencyStore open(StoreAddress address, StoreClock clock) {
    return new EtcdIdempotencyStore(
        Session.open(address, Entropy.operatingSystem(), clock::refresh), clock);
  }

  @Override
  public String kind() {
    return Session.KIND;
  }

  // ---- one entry

  @Override
  public CompletionStage<IdempotencyReply> begin(IdempotencyRequest request) {
    return session.run("begin", () -> begun(request));
  }

  /** Who finds no room makes some, where entries of the caller have expired, or finds some made. */
  private IdempotencyReply begun(IdempotencyRequest request) {
    IdempotencyEntry entry = request.entry();
    IdempotencyReply reply = decided("begin", entry, s -> IdempotencyRules.begin(s, request));
    if (!(reply instanceof IdempotencyReply.Full)) {
      return reply;
    }
    var unused = purged("begin", entry, ROOM);
    return decided("begin", entry, s -> IdempotencyRules.begin(s, request));
  }

  @Override
  public CompletionStage<Finish> finish(IdempotencyEntry entry, long attempt, String reply) {
    IdempotencyRow.requireReply(reply);
    return transact("finish", entry, s -> IdempotencyRules.finish(s, attempt, reply));
  }

  @Override
  public CompletionStage<Boolean> abandon(IdempotencyEntry entry, long attempt) {
    return transact("abandon", entry, s -> IdempotencyRules.abandon(s, attempt));
  }

  /**
   * Reads, decides and writes.
   *
   * @param rule asked again when something has changed meanwhile
   */
  <T> CompletionStage<T> transact(
      String name,
      IdempotencyEntry entry,
      Function<IdempotencySnapshot, IdempotencyDecision<T>> rule) {
    return session.run(name, () -> decided(name, entry, rule));
  }

  private <T> T decided(
      String name,
      IdempotencyEntry entry,
      Function<IdempotencySnapshot, IdempotencyDecision<T>> rule) {
    List<ByteSequence> read = new ArrayList<>();
    read.add(keys.idempotency(entry));
    for (int slot = 0; slot < IdempotencyEntry.SLOTS; slot++) {
      read.add(keys.idempotencyUse(entry, slot));
    }
    long now = now();
    return session.transact(
        name,
        read,
        found -> {
          IdempotencySnapshot s =
              new IdempotencySnapshot(now, used(found), found.one(ENTRY, RowText::idempotency));
          return change(entry, found, s, rule.apply(s));
        });
  }

  private static long used(Found found) {
    long used = 0;
    for (int slot = 0; slot < IdempotencyEntry.SLOTS; slot++) {
      used += number(found, FIRST_SLOT + slot);
    }
    return used;
  }

  private static long number(Found found, int answer) {
    Long number = found.one(answer, Long::valueOf);
    return number == null ? 0 : number;
  }

  private <T> Change<T> change(
      IdempotencyEntry entry, Found found, IdempotencySnapshot s, IdempotencyDecision<T> decision) {
    if (!decision.writes()) {
      return Change.none(decision.reply());
    }
    List<Cmp> unchanged = new ArrayList<>();
    List<Op> writes = new ArrayList<>();
    ByteSequence key = keys.idempotency(entry);
    unchanged.add(Session.unchanged(key, found.revision(ENTRY)));
    IdempotencyRow next = decision.row();
    writes.add(next == null ? Session.delete(key) : Session.put(key, RowText.of(next)));
    moveEnds(entry, s.row(), next, writes);
    int added = decision.added(s);
    if (added != 0) {
      int answer = FIRST_SLOT + entry.slot();
      ByteSequence slot = keys.idempotencyUse(entry, entry.slot());
      unchanged.add(Session.unchanged(slot, found.revision(answer)));
      writes.add(count(slot, number(found, answer) + added));
    }
    return new Change<>(decision.reply(), unchanged, writes);
  }

  /** One transaction names no key twice. */
  private void moveEnds(
      IdempotencyEntry entry,
      @Nullable IdempotencyRow read,
      @Nullable IdempotencyRow next,
      List<Op> writes) {
    if (read != null && next != null && read.expiresMillis() == next.expiresMillis()) {
      return;
    }
    if (read != null) {
      writes.add(Session.delete(keys.idempotencyEnd(entry, read.expiresMillis())));
      writes.add(Session.delete(keys.idempotencyOf(entry, read.expiresMillis())));
    }
    if (next != null) {
      writes.add(Session.put(keys.idempotencyEnd(entry, next.expiresMillis()), ""));
      writes.add(Session.put(keys.idempotencyOf(entry, next.expiresMillis()), ""));
    }
  }

  /** A count that is gone was taken away by hand, and begins anew. */
  private static Op count(ByteSequence slot, long used) {
    return Session.put(slot, Long.toString(Math.max(0, used)));
  }

  // ---- what has expired

  @Override
  public CompletionStage<Integer> purge(int most) {
    IdempotencyStore.requirePurge(most);
    return session.run("purge", () -> purged("purge", null, most));
  }

  /**
   * Deletes expired entries.
   *
   * @param of of whose; null: of all callers
   * @return how many
   */
  private int purged(String name, @Nullable IdempotencyEntry of, int most) {
    Map<ByteSequence, List<End>> slots = new LinkedHashMap<>();
    for (ByteSequence key :
        session.readKeys(name, keys.firstEnd(of), keys.endAfter(of, now()), most)) {
      End end = end(of, key);
      ByteSequence slot = keys.idempotencyUse(end.entry(), end.entry().slot());
      slots.computeIfAbsent(slot, s -> new ArrayList<>()).add(end);
    }
    int purged = 0;
    for (Map.Entry<ByteSequence, List<End>> one : slots.entrySet()) {
      List<End> ends = one.getValue();
      for (int from = 0; from < ends.size(); from += PART) {
        List<End> part = ends.subList(from, Math.min(ends.size(), from + PART));
        purged += purged(name, one.getKey(), part);
      }
    }
    return purged;
  }

  private End end(@Nullable IdempotencyEntry of, ByteSequence key) {
    try {
      return keys.end(of, key);
    } catch (IllegalArgumentException e) {
      throw StoreException.permanent(
              Session.KIND + ": key " + Keys.text(key) + ": " + e.getMessage(), e)
          .ofRow();
    }
  }

  /** Deletes entries of one slot, but those that have another end by now, or none. */
  private int purged(String name, ByteSequence slot, List<End> ends) {
    List<ByteSequence> read = new ArrayList<>();
    read.add(slot);
    ends.forEach(end -> read.add(keys.idempotencyEnd(end.entry(), end.millis())));
    return session.transact(name, read, found -> purging(found, read, ends));
  }

  private Change<Integer> purging(Found found, List<ByteSequence> read, List<End> ends) {
    List<Op> writes = new ArrayList<>();
    int purged = 0;
    for (int i = 0; i < ends.size(); i++) {
      if (found.revision(i + 1) != 0) {
        End end = ends.get(i);
        writes.add(Session.delete(keys.idempotency(end.entry())));
        writes.add(Session.delete(keys.idempotencyEnd(end.entry(), end.millis())));
        writes.add(Session.delete(keys.idempotencyOf(end.entry(), end.millis())));
        purged++;
      }
    }
    if (purged == 0) {
      return Change.none(0);
    }
    writes.add(count(read.get(COUNT), number(found, COUNT) - purged));
    return new Change<>(purged, found.unchanged(read), writes);
  }

  // ---- the clock

  private long now() {
    long monotonic = TimeSource.system().monotonicNanos();
    if (!clockRead || monotonic - clockReadAtNanos > CLOCK_NANOS) {
      clock.refresh();
      clockRead = true;
      clockReadAtNanos = monotonic;
    }
    return clock.nowMillis();
  }

  @Override
  public void close() {
    session.close();
  }
}
