/**
 * What goes over gRPC: the messages and stubs of {@code idgen/v1/id_service.proto}, generated from
 * it. The proto file is the place to read, and lies in this jar too. The server and clients call
 * in; nothing is written by hand here.
 */
@NullMarked
package dev.idgen.grpc.v1;

import org.jspecify.annotations.NullMarked;
