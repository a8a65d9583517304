package dev.idgen.store.etcd;

import dev.idgen.entropy.Entropy;
import dev.idgen.store.NamespaceRow;
import dev.idgen.store.Residue;
import dev.idgen.store.RowText;
import dev.idgen.store.SegmentDecision;
import dev.idgen.store.SegmentReply;
import dev.idgen.store.SegmentRequest;
import dev.idgen.store.SegmentRow;
import dev.idgen.store.SegmentRules;
import dev.idgen.store.SegmentSnapshot;
import dev.idgen.store.SegmentStore;
import dev.idgen.store.SegmentTerms;
import dev.idgen.store.StoreException;
import dev.idgen.store.etcd.Session.Change;
import io.etcd.jetcd.ByteSequence;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * High-water marks in etcd, one key for each tag, over one client on one thread. Thread-safe.
 *
 * <p>An operation is a read of its keys at one revision, the rules, and a transaction that compares
 * the revisions in which those keys were last written: the namespace's is one of them, so that no
 * fence comes in between.
 */
public final class EtcdSegmentStore implements SegmentStore {
  // The order of the answers.
  private static final int FIRST_IDENTITY = 0;
  private static final int NAMESPACE = 1;
  private static final int MARK = 2;
  private static final int MARKS_FENCE = 3;

  private final Session session;
  private final Keys keys;

  private EtcdSegmentStore(Session session) {
    this.session = session;
    this.keys = session.keys();
  }

  /**
   * Opens the store of an etcd cluster, and gives it an identity if it has none.
   *
   * @param url as for {@link EtcdWorkerStore#open}
   * @throws IllegalArgumentException it is no such address
   * @throws StoreException the cluster cannot be used: the message says what to do
   */
  public static EtcdSegmentStore open(String url) {
    return new EtcdSegmentStore(
        Session.open(Session.parse(url), Entropy.operatingSystem(), () -> {}));
  }

  @Override
  public String kind() {
    return Session.KIND;
  }

  @Override
  public CompletionStage<SegmentReply> allocate(SegmentRequest request) {
    return transact("allocate", request.terms(), s -> SegmentRules.allocate(s, request));
  }

  @Override
  public CompletionStage<SegmentReply> raise(SegmentTerms terms, long floor) {
    return transact("raise", terms, s -> SegmentRules.raise(s, terms, floor));
  }

  @Override
  public CompletionStage<SegmentReply> remove(SegmentTerms terms) {
    return transact("remove", terms, s -> SegmentRules.remove(s, terms));
  }

  @Override
  public CompletionStage<SegmentReply> revive(SegmentTerms terms) {
    return transact("revive", terms, SegmentRules::revive);
  }

  /**
   * Reads, decides and writes.
   *
   * @param rule asked again when something has changed meanwhile
   */
  CompletionStage<SegmentReply> transact(
      String name, SegmentTerms terms, Function<SegmentSnapshot, SegmentDecision> rule) {
    List<ByteSequence> read =
        List.of(
            keys.firstIdentity(),
            keys.namespace(terms.namespace()),
            keys.mark(terms.namespace(), terms.tag()),
            keys.marksFence(terms.namespace()));
    return session.run(
        name,
        () ->
            session.transact(
                name, read, found -> change(found, read, rule.apply(snapshot(found)))));
  }

  private static SegmentSnapshot snapshot(Found found) {
    String first = found.one(FIRST_IDENTITY, text -> text);
    return new SegmentSnapshot(
        found.identity(),
        fence(found, NAMESPACE, MARKS_FENCE),
        first == null ? "" : first, // unknown: then a tag that is new leaves a gap
        found.one(MARK, RowText::segment));
  }

  /**
   * How often acknowledged writes were declared lost: for the leases, and for the marks alone.
   *
   * @param namespace which answer is the namespace's row
   * @param marks which is the fence of the marks
   */
  static long fence(Found found, int namespace, int marks) {
    NamespaceRow row = found.one(namespace, RowText::namespace);
    return (row == null ? 0 : row.fence()) + number(found, marks);
  }

  private static long number(Found found, int at) {
    Long number = found.one(at, Long::valueOf);
    return number == null ? 0 : number;
  }

  @Override
  public CompletionStage<Long> fence(String namespace) {
    List<ByteSequence> read = List.of(keys.marksFence(namespace));
    return session.run(
        "fence",
        () ->
            session.transact(
                "fence",
                read,
                found -> {
                  long next = number(found, 0) + 1;
                  return new Change<>(
                      next,
                      found.unchanged(read),
                      List.of(Session.put(read.get(0), String.valueOf(next))));
                }));
  }

  private static Change<SegmentReply> change(
      Found found, List<ByteSequence> read, SegmentDecision decision) {
    SegmentRow next = decision.row();
    return next == null
        ? Change.none(decision.reply())
        : new Change<>(
            decision.reply(),
            found.unchanged(read),
            List.of(Session.put(read.get(MARK), RowText.of(next))));
  }

  @Override
  public CompletionStage<Residue> residue(String namespace, Residue ifNew) {
    List<ByteSequence> read = List.of(keys.residue(namespace));
    return session.run(
        "residue",
        () -> session.transact("residue", read, found -> residue(found, read, namespace, ifNew)));
  }

  private Change<Residue> residue(
      Found found, List<ByteSequence> read, String namespace, Residue ifNew) {
    Residue residue = found.one(0, RowText::residue);
    if (residue != null) {
      return Change.none(residue);
    }
    Residue first = hasMarks(found, namespace) ? Residue.ALONE : ifNew;
    return new Change<>(
        first, found.unchanged(read), List.of(Session.put(read.get(0), RowText.of(first))));
  }

  /** Marks that were made before anybody said which database this is are those of one alone. */
  private boolean hasMarks(Found found, String namespace) {
    AtomicBoolean any = new AtomicBoolean();
    session.readAll("residue", found, keys.marks(namespace), mark -> any.set(true));
    return any.get();
  }

  @Override
  public CompletionStage<@Nullable SegmentRow> read(String namespace, String tag) {
    List<ByteSequence> read = List.of(keys.mark(namespace, tag));
    return session
        .run(
            "read",
            () ->
                Optional.ofNullable(
                    session.read("read", Session.gets(read)).one(0, RowText::segment)))
        .thenApply(row -> row.orElse(null));
  }

  @Override
  public void close() {
    session.close();
  }
}
