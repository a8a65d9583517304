/**
 * The bits of a time-based id: which field lies where, how long a tick is and when time begins.
 * Start reading at {@link dev.idgen.layout.Layout}; {@link dev.idgen.layout.Layouts} has the known
 * ones. Everybody may call in. It is arithmetic on values: it reads no clock and issues nothing.
 */
@NullMarked
package dev.idgen.layout;

import org.jspecify.annotations.NullMarked;
