/**
 * Says what kind of id a text is, and what its fields are: every plausible reading, the best first.
 * Start reading at {@link dev.idgen.inspect.Inspector}; each file named {@code ...Reader} knows one
 * family of ids. Everybody may call in. It reads no clock (the caller passes the present), guesses
 * nothing silently (each reading says why it is plausible) and never issues an id.
 */
@NullMarked
package dev.idgen.inspect;

import org.jspecify.annotations.NullMarked;
