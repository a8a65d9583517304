package dev.idgen.store;

import org.jspecify.annotations.Nullable;

/**
 * What the rules decided for one snapshot: the reply, and what must be written first.
 *
 * <p>A driver writes both rows in one transaction, on the condition that every row that the
 * snapshot was made of, written or not, still is as it was, and sends the reply only when that
 * transaction is durable. If the condition fails it reads again and asks again.
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
