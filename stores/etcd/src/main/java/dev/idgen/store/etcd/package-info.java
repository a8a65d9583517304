/**
 * Leases in etcd. Start reading at {@link dev.idgen.store.etcd.EtcdWorkerStore}; the keys are in
 * {@code Keys}.
 *
 * <p>Whoever wires a store to an engine calls in. It never decides anything about a lease (that is
 * {@link dev.idgen.store.LeaseRules}), never deletes a key that it needs again, and never lets the
 * client's library repeat a write.
 */
@NullMarked
package dev.idgen.store.etcd;

import org.jspecify.annotations.NullMarked;
