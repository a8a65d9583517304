/**
 * JSON out, without a tree and without garbage worth naming. Start reading at {@link
 * dev.idgen.server.json.JsonOut}. Transports, logs and the command line call in; it knows none of
 * them, and never reads JSON.
 */
@NullMarked
package dev.idgen.server.json;

import org.jspecify.annotations.NullMarked;
