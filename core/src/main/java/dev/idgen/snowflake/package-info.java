/**
 * Time-based 64-bit ids. Start reading at {@link dev.idgen.snowflake.Snowflake}, the front; then
 * {@link dev.idgen.snowflake.SnowflakeEngine} (taking ids), {@code Lease} (the one atomic that
 * every id comes from), {@code ClockWatch} (what the wall clock is worth) and {@link
 * dev.idgen.snowflake.LeaseKeeper} (holding worker ids).
 *
 * <p>Applications and the service call in. Nothing here knows a particular store, another engine or
 * a transport, reads a real clock, or blocks an event loop.
 */
@NullMarked
package dev.idgen.snowflake;

import org.jspecify.annotations.NullMarked;
