/**
 * Puts a server together, starts it and stops it. Start reading at {@link
 * dev.idgen.server.main.IdgenServer}; {@link dev.idgen.server.main.ServerProcess} is the process
 * around it. The command line calls in. This is the only package that knows engines, stores and
 * transports at once.
 */
@NullMarked
package dev.idgen.server.main;

import org.jspecify.annotations.NullMarked;
