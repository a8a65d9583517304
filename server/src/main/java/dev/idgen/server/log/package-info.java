/**
 * What the process says: log lines, and the audit log. Start reading at {@link
 * dev.idgen.server.log.Log}. Every part of the server calls in; it never decides what is worth
 * saying.
 */
@NullMarked
package dev.idgen.server.log;

import org.jspecify.annotations.NullMarked;
