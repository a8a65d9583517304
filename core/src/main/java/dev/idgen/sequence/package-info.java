/**
 * Ids that strictly increase over all processes, in the order of real time: each call goes to the
 * store, together with those that came while the one before was under way. Start reading at {@link
 * dev.idgen.sequence.SequenceEngine}.
 *
 * <p>The server and applications call in. Nothing is ever held for later.
 */
@NullMarked
package dev.idgen.sequence;

import org.jspecify.annotations.NullMarked;
