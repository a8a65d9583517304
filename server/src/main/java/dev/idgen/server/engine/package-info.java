/**
 * What issues ids in a server, with what it needs to live: the one snowflake engine with the keeper
 * of its leases, and the engines of tags; stores that come late; and what is written to the logs
 * about them. Start reading at {@link dev.idgen.server.engine.TagRoom} and {@link
 * dev.idgen.server.engine.SnowflakeRoom}. The wiring calls in; it never knows a driver or a wire.
 */
@NullMarked
package dev.idgen.server.engine;

import org.jspecify.annotations.NullMarked;
