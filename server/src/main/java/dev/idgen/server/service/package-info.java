/**
 * What every transport calls: tags, limits and the engine of each tag. Start reading at {@link
 * dev.idgen.server.service.IdService}. Transports call in; the wiring hands in the engines. It
 * never knows a wire format.
 */
@NullMarked
package dev.idgen.server.service;

import org.jspecify.annotations.NullMarked;
