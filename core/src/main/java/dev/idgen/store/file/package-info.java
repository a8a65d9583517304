/**
 * Leases in a file, for the processes of one machine that want no database. Start reading at {@link
 * dev.idgen.store.file.FileWorkerStore}, then {@link dev.idgen.store.file.StateFile}, which makes a
 * write durable.
 *
 * <p>Whoever wires a store to an engine calls in. It never repairs a file, never goes on after a
 * failed sync, and never decides anything about a lease (that is {@link
 * dev.idgen.store.LeaseRules}).
 */
@NullMarked
package dev.idgen.store.file;

import org.jspecify.annotations.NullMarked;
