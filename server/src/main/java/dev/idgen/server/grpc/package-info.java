/**
 * The gRPC transport. Start reading at {@link dev.idgen.server.grpc.GrpcTransport}, then {@link
 * dev.idgen.server.grpc.Calls}: one call goes from there to the service and back. Its requests come
 * over the connections of HTTP, whose limits hold for them.
 *
 * <p>The wiring calls in; the package knows the service, no engine and no other transport, and
 * never blocks an event loop. Its classes, and those of protocol buffers, are loaded when the first
 * call comes. All objects that serve calls belong to one event loop each, and are not thread-safe.
 */
@NullMarked
package dev.idgen.server.grpc;

import org.jspecify.annotations.NullMarked;
