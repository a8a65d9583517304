/**
 * Texts of ids that tell nothing: whoever sees some can neither tell the numbers, nor how many
 * there are, nor guess another one. Start reading at {@link dev.idgen.opaque.OpaqueKeys}. Called by
 * the service and by applications; never keeps a key anywhere, and never logs one.
 *
 * <p>They hide, and do not protect: an id that is known is no right to what it names.
 */
@NullMarked
package dev.idgen.opaque;

import org.jspecify.annotations.NullMarked;
