/**
 * Texts of 64-bit ids, 0 to 2^63-1: {@link dev.idgen.text.Text} is where to start reading. Every id
 * has exactly one text, and whatever is not the text of an id is refused with a {@link
 * dev.idgen.text.TextException}. Everybody may call in, from any thread. This package depends on
 * nothing, keeps no state, and never guesses what kind of id a text could be: that is the work of
 * the inspection.
 */
@NullMarked
package dev.idgen.text;

import org.jspecify.annotations.NullMarked;
