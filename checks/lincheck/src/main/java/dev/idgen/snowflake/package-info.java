/**
 * Short races between takers, a keeper and a closer, to be run under every interleaving that
 * matters. Start reading at {@link dev.idgen.snowflake.LeaseRaces}. They live in the engine's
 * package because leases are nobody else's business; the model checker and the check of planted
 * faults call in. Nothing of it is ever shipped.
 */
@NullMarked
package dev.idgen.snowflake;

import org.jspecify.annotations.NullMarked;
