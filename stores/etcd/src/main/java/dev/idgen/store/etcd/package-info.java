/**
 * Leases, high-water marks and settings of tags in etcd. Start reading at {@link
 * dev.idgen.store.etcd.EtcdSegmentStore}, then {@code Session}; the keys are in {@code Keys}.
 *
 * <p>Whoever wires a store to an engine calls in. It never decides anything about a lease, a mark
 * or a tag (that is {@link dev.idgen.store.LeaseRules}, {@link dev.idgen.store.SegmentRules} and
 * {@link dev.idgen.store.TagRules}), never deletes a key that it needs again, and never lets the
 * client's library repeat a write.
 */
@NullMarked
package dev.idgen.store.etcd;

import org.jspecify.annotations.NullMarked;
