/**
 * The Redis transport: RESP2 and RESP3. Start reading at {@link
 * dev.idgen.server.resp.RespTransport}, then {@link dev.idgen.server.resp.Connection}: bytes go
 * from there through the decoder to {@link dev.idgen.server.resp.Commands}, and replies back in the
 * order of their commands. The wiring calls in; the package knows the service and no engine, and
 * never blocks an event loop.
 *
 * <p>All objects that serve connections belong to one event loop each, and are not thread-safe.
 */
@NullMarked
package dev.idgen.server.resp;

import org.jspecify.annotations.NullMarked;
