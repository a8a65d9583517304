/**
 * Real servers for tests: each on a free port of loopback, with a folder of its own, and ended with
 * the process that started it at the latest. Start reading at {@link
 * dev.idgen.check.servers.PostgresServer}.
 *
 * <p>Tests call in, and nothing of it is ever shipped.
 */
@NullMarked
package dev.idgen.check.servers;

import org.jspecify.annotations.NullMarked;
