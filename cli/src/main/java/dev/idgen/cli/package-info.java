/**
 * The command {@code idgen}. Start reading at {@link dev.idgen.cli.Main}. Nothing calls in but the
 * start script; data goes to stdout, everything else to stderr, and the exit status says how it
 * went ({@link dev.idgen.cli.ExitStatus}).
 */
@NullMarked
package dev.idgen.cli;

import org.jspecify.annotations.NullMarked;
