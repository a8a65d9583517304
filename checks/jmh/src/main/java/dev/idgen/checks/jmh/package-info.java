/**
 * How fast the library is beside others. Start reading at {@link dev.idgen.checks.jmh.Bench}, which
 * runs everything and prints the table; {@link dev.idgen.checks.jmh.LongSubject}, {@link
 * dev.idgen.checks.jmh.ObjectSubject} and {@link dev.idgen.checks.jmh.TextSubject} say what is
 * measured and how each peer was set up. Nothing calls in; nothing of it is shipped.
 */
@NullMarked
package dev.idgen.checks.jmh;

import org.jspecify.annotations.NullMarked;
