package dev.idgen.store;

import dev.idgen.entropy.Entropy;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One operation on leases as a driver sees it: which rows to read, and how to decide.
 *
 * @param name for messages
 * @param namespace whose rows
 * @param owner who claims; null for every other operation
 * @param workerId the one row to read, or {@link #ALL_ROWS}, or {@link #NO_ROWS}
 * @param rule pure, so that a driver may ask again when a row changed meanwhile
 */
public record StoreOperation(
    String name,
    String namespace,
    @Nullable String owner,
    int workerId,
    Function<StoreSnapshot, Decision> rule) {

  /** Every row of the namespace is read. */
  public static final int ALL_ROWS = -1;

  /** Only the namespace itself is read. */
  public static final int NO_ROWS = -2;

  static StoreOperation claim(ClaimRequest r, Entropy entropy) {
    return new StoreOperation(
        "claim", r.terms().namespace(), r.owner(), ALL_ROWS, s -> LeaseRules.claim(s, r, entropy));
  }

  static StoreOperation extend(ExtendRequest r) {
    return new StoreOperation(
        "extend", r.terms().namespace(), null, r.workerId(), s -> LeaseRules.extend(s, r));
  }

  static StoreOperation release(ReleaseRequest r) {
    return new StoreOperation(
        "release", r.terms().namespace(), null, r.workerId(), s -> LeaseRules.release(s, r));
  }

  static StoreOperation revoke(LeaseTerms terms, int workerId) {
    return new StoreOperation(
        "revoke", terms.namespace(), null, workerId, s -> LeaseRules.revoke(s, workerId));
  }

  static StoreOperation fence(LeaseTerms terms, long wallMillis) {
    return new StoreOperation(
        "fence", terms.namespace(), null, NO_ROWS, s -> LeaseRules.fence(s, terms, wallMillis));
  }
}
