/**
 * Ids of more than 64 bits, which need no coordination: version 7, 4 and 5 UUIDs, ULIDs, and texts
 * of random characters. Start reading at {@link dev.idgen.uuid.UuidV7}; {@link
 * dev.idgen.uuid.Uuids} reads, writes and compares UUIDs of any version. Everybody may call in,
 * from any thread.
 *
 * <p>What keeps such ids apart is randomness, not a lease: two processes get the same one only by a
 * chance that is too small to matter. This package never reads the real clock or makes randomness
 * of its own; both are handed in.
 */
@NullMarked
package dev.idgen.uuid;

import org.jspecify.annotations.NullMarked;
