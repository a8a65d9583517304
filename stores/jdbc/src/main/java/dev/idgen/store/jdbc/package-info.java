/**
 * Leases, high-water marks, settings of tags and idempotency keys in a database: SQLite,
 * PostgreSQL, MariaDB and MySQL. Start reading at {@link dev.idgen.store.jdbc.JdbcSegmentStore},
 * then {@code Session}; the tables are in resources like {@code sqlite/1.sql}.
 *
 * <p>Whoever wires a store to an engine calls in. It never decides anything about a lease, a mark,
 * a tag or a key (that is {@link dev.idgen.store.LeaseRules}, {@link dev.idgen.store.SegmentRules},
 * {@link dev.idgen.store.TagRules} and {@link dev.idgen.store.IdempotencyRules}), and never opens a
 * SQLite file other than through its driver: closing any other handle would drop the driver's
 * locks.
 */
@NullMarked
package dev.idgen.store.jdbc;

import org.jspecify.annotations.NullMarked;
