/**
 * Randomness, in one place: {@link dev.idgen.entropy.Entropy}. Everybody may take it as a
 * parameter; nobody else makes any. It never seeds itself from time or addresses.
 */
@NullMarked
package dev.idgen.entropy;

import org.jspecify.annotations.NullMarked;
