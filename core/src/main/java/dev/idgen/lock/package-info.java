/**
 * Locks of the operating system on files: what tells the processes of one machine apart, and the
 * living from the dead; and folders that survive a power cut. Start reading at {@link
 * dev.idgen.lock.LockFile}.
 *
 * <p>Stores that serve one machine call in. Nothing here knows what is being guarded, waits for a
 * lock, or ever opens a lock file that this process has locked already: on POSIX, closing any
 * handle on a file drops every lock that the process has on it.
 */
@NullMarked
package dev.idgen.lock;

import org.jspecify.annotations.NullMarked;
