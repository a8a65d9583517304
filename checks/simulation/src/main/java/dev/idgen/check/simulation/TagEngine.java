package dev.idgen.check.simulation;

import dev.idgen.IdException;
import dev.idgen.Reason;
import dev.idgen.store.SegmentTerms;

/** One engine of a process, for one tag on one database: its callers, and what they got. */
final class TagEngine {
  private final World world;
  private final SegmentProcess process;
  private final SegmentTag tag;
  private final SegmentTerms terms;
  private final TagLedger ledger;
  private final SegmentHost host;
  private final Issuer issuer;
  private long maxIssued = -1;
  private int open; // calls without an answer
  private boolean closed;
  private long answers;
  private String lastRefusal = "";

  TagEngine(
      SegmentCluster cluster, SegmentProcess process, SegmentTag tag, int database, Issuer issuer) {
    this.world = cluster.world();
    this.process = process;
    this.tag = tag;
    this.terms = tag.terms().get(database);
    this.ledger = cluster.ledger(terms.tag());
    this.host = cluster.hosts().get(database);
    this.issuer = issuer;
  }

  SegmentTag tag() {
    return tag;
  }

  long answers() {
    return answers;
  }

  // ---- callers

  void tryTake() {
    process.enter(
        () -> {
          long above = maxIssued;
          long id = issuer.tryNext();
          if (id >= 0) {
            got(ledger.issued(terms.residue(), process.number(), id, above));
          }
        });
  }

  void take(int count, long waitNanos) {
    process.enter(() -> ask(count, waitNanos));
  }

  private void ask(int count, long waitNanos) {
    long above = tag.sequence() ? Math.max(maxIssued, ledger.answered()) : maxIssued;
    long begun = world.nowNanos();
    long stalled = process.stalledNanos();
    boolean whole = count % 2 == 0 && issuer.hasContiguous(count);
    open++;
    var unused =
        (whole ? issuer.nextContiguous(count, waitNanos) : issuer.nextAsync(count, waitNanos))
            .whenComplete(
                (batch, failure) -> {
                  open--;
                  process.requireInTime(begun, stalled, waitNanos);
                  if (failure != null) {
                    refused(failure, whole ? count : 1);
                  } else if (whole && batch.runs().size() > 1) {
                    throw world.fail("ids: " + batch + " (expected: one after another)");
                  } else if (batch.count() == count) {
                    got(ledger.issued(terms.residue(), process.number(), batch, above));
                  } else {
                    throw world.fail("ids: " + batch.count() + " (expected: " + count + ")");
                  }
                });
  }

  private void got(long last) {
    ledger.answered(last);
    if (closed) {
      throw wrong("issued " + last, "nothing, it is closed");
    }
    answers++;
    maxIssued = Math.max(maxIssued, last);
    world.note(process.number(), "issued", last, answers);
  }

  /**
   * A caller got nothing.
   *
   * @param atOnce how many have to be left of the tag, for there to be any for it
   */
  private void refused(Throwable failure, int atOnce) {
    if (!(AbstractProcess.cause(failure) instanceof IdException refusal)) {
      throw wrong("refused: " + failure, "an IdException");
    }
    ledger.refused();
    lastRefusal = refusal.reason() + ": " + refusal.getMessage();
    world.note(process.number(), refusal.reason().name(), 0, 0);
    if (refusal.reason() == Reason.EXHAUSTED && ledger.unique() && !host.mayEnd(terms, atOnce)) {
      throw wrong("refused: " + lastRefusal, "ids, up to " + terms.maximum());
    }
    if (refusal.reason() == Reason.DRAINING && !closed) {
      throw wrong("refused: " + lastRefusal, "ids, it is open");
    }
  }

  // ---- others

  void raiseTo(long floor) {
    world.note(process.number(), "raise", floor, 0);
    issuer.raiseTo(floor);
  }

  void close() {
    closed = true; // at once: who waits is told so
    issuer.close();
  }

  /** Nobody waits any more. */
  void requireAnswers() {
    if (open > 0) {
      throw wrong(open + " calls without an answer", "all answered by now");
    }
  }

  /** It has answered since, unless the tag has ended. */
  void requireAnswersSince(long before) {
    if (answers == before && !host.mayEnd(terms, 1)) {
      throw wrong("refused: " + lastRefusal, "service, all faults being over");
    }
  }

  private Violation wrong(String what, String expected) {
    return world.fail(
        "tag: "
            + terms.tag()
            + " in process "
            + process.name()
            + ": "
            + what
            + " (expected: "
            + expected
            + "); "
            + issuer);
  }
}
