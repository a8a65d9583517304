package dev.idgen.store;

import org.jspecify.annotations.Nullable;

/**
 * What the rules decided for one snapshot: the reply, and what must be written first.
 *
 * <p>A driver writes both rows in one transaction, on the condition that the rows that it writes
 * still are as they were, and for a claim or a fence the namespace too; it sends the reply only
 * when that transaction is durable. If the condition fails it reads again and asks again. An
 * extension or a release beside a fence counts as the earlier of the two.
 *
 * @param reply the answer for the caller
 * @param namespace replaces the namespace row; null: leave it
 * @param worker replaces the row of its worker id; null: leave it
 */
public record Decision(
    LeaseReply reply, @Nullable NamespaceRow namespace, @Nullable WorkerRow worker) {

  /** Whether anything is to be written. */
  public boolean writes() {
    return namespace != null || worker != null;
  }
}
