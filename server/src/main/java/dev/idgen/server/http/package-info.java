/**
 * The HTTP transport. Start reading at {@link dev.idgen.server.http.HttpTransport}, then {@link
 * dev.idgen.server.http.Routes}: one request goes from there to a call of the service and back.
 * What is answered stands in a {@link dev.idgen.server.http.RouteTable}, and is described in {@code
 * openapi.json}. The wiring calls in; the package knows the service and no engine, and never blocks
 * an event loop.
 *
 * <p>All objects that serve requests belong to one event loop each, and are not thread-safe.
 */
@NullMarked
package dev.idgen.server.http;

import org.jspecify.annotations.NullMarked;
