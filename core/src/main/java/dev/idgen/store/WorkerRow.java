package dev.idgen.store;

import org.jspecify.annotations.Nullable;

/**
 * What a store keeps for one worker id. Never deleted.
 *
 * <p>All times are milliseconds since 1970. {@code [fromMillis, horizonMillis)} is what the present
 * generation may have issued in, and nobody else ever may.
 *
 * @param workerId 0..layout maximum
 * @param owner who holds it; null once it was released in order
 * @param generation rises with each claim
 * @param token names the last write of the holder; 0 when nobody may extend
 * @param nonce names the claim, so that a repeated claim finds the row it already won
 * @param fromMillis first timestamp of this generation
 * @param horizonMillis first timestamp that it does not cover
 * @param identity the store's identity at the last write
 * @param fence the namespace's fence at the last write
 * @param updatedAtMillis store time of the last write
 */
public record WorkerRow(
    int workerId,
    @Nullable String owner,
    long generation,
    long token,
    long nonce,
    long fromMillis,
    long horizonMillis,
    String identity,
    long fence,
    long updatedAtMillis) {}
