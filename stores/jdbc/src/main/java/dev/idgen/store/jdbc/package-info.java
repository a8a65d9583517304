/**
 * Leases in a database: SQLite. Start reading at {@link dev.idgen.store.jdbc.JdbcWorkerStore}; the
 * tables are in the resource {@code sqlite/1.sql}.
 *
 * <p>Whoever wires a store to an engine calls in. It never decides anything about a lease (that is
 * {@link dev.idgen.store.LeaseRules}), and never opens a SQLite file other than through its driver:
 * closing any other handle would drop the driver's locks.
 */
@NullMarked
package dev.idgen.store.jdbc;

import org.jspecify.annotations.NullMarked;
