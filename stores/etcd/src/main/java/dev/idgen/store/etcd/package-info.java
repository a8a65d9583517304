/**
 * Leases, high-water marks, settings of tags and idempotency keys in etcd. Start reading at {@link
 * dev.idgen.store.etcd.EtcdSegmentStore}, then {@code Session}; the keys are in {@code Keys}.
 *
 * <p>Whoever wires a store to an engine calls in. It never decides anything about a lease, a mark,
 * a tag or a key (that is {@link dev.idgen.store.LeaseRules}, {@link dev.idgen.store.SegmentRules},
 * {@link dev.idgen.store.TagRules} and {@link dev.idgen.store.IdempotencyRules}), never deletes a
 * key that it needs again, and never lets the client's library repeat a write.
 */
@NullMarked
package dev.idgen.store.etcd;

import org.jspecify.annotations.NullMarked;
