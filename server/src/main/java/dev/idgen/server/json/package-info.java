/**
 * JSON out, without a tree and without garbage worth naming. Start reading at {@link
 * dev.idgen.server.json.JsonOut}; {@link dev.idgen.server.json.InspectJson} is a document that
 * several interfaces give. Transports, logs and the command line call in; the package knows none of
 * them, and never reads JSON.
 */
@NullMarked
package dev.idgen.server.json;

import org.jspecify.annotations.NullMarked;
