/**
 * Leases in ZooKeeper. Start reading at {@link dev.idgen.store.zookeeper.ZooKeeperWorkerStore}; the
 * nodes are in {@code Nodes}.
 *
 * <p>Whoever wires a store to an engine calls in. It never decides anything about a lease (that is
 * {@link dev.idgen.store.LeaseRules}), never deletes a node that holds a row, and never takes the
 * end of a session for the end of a lease.
 */
@NullMarked
package dev.idgen.store.zookeeper;

import org.jspecify.annotations.NullMarked;
