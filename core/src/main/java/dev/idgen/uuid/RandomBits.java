package dev.idgen.uuid;

import dev.idgen.entropy.Entropy;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.concurrent.locks.ReentrantLock;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Many random bits from few: the key stream of AES-256 in counter mode under keys from an {@link
 * Entropy}. As unguessable as that entropy, at a small part of its price.
 *
 * <p>Each thread holds a block of the stream, so that taking bits needs no coordination. A block
 * begins small and doubles each time that it is used up, so a short-lived thread costs next to
 * nothing. Blocks and keys are dropped when they are {@link #AGE_MAX_MS} old (or the clock went
 * back): a copy of this process that wakes up later shares no bits with the original.
 */
final class RandomBits implements Bits {
  static final int AGE_MAX_MS = 1000;
  private static final int BLOCK_MIN = 8;
  private static final int BLOCK_MAX = 512;
  private static final long KEY_LONGS_MAX = 1L << 23;
  private static final int KEY_BYTES = 32;
  private static final int COUNTER_BYTES = 16;
  private static final String CIPHER = "AES/CTR/NoPadding";

  /** A block's first places: index of the next unused bits, and when the block was made. */
  private static final int CURSOR = 0;

  private static final int MADE_MILLIS = 1;
  private static final int HEADER = 2;

  private final Entropy entropy;

  /** Plain arrays of longs, so that a thread that outlives this class does not hold on to it. */
  private final ThreadLocal<long[]> blocks = ThreadLocal.withInitial(() -> newBlock(0));

  private final ReentrantLock lock = new ReentrantLock();
  private final Cipher cipher; // this and all below: guarded by the lock
  private final byte[] zeros = new byte[BLOCK_MAX * Long.BYTES];
  private final byte[] stream = new byte[BLOCK_MAX * Long.BYTES];
  private long keyMillis;
  private long keyLongsLeft;

  RandomBits(Entropy entropy) {
    this.entropy = entropy;
    try {
      this.cipher = Cipher.getInstance(CIPHER);
    } catch (GeneralSecurityException e) {
      throw unavailable(e);
    }
  }

  @Override
  public long next(long nowMillis) {
    long[] block = blocks.get();
    int at = (int) block[CURSOR];
    if (at == block.length || isOld(nowMillis, block[MADE_MILLIS])) {
      block = replace(block, nowMillis);
      at = HEADER;
    }
    block[CURSOR] = at + 1L;
    return block[at];
  }

  private static boolean isOld(long nowMillis, long madeMillis) {
    return Long.compareUnsigned(nowMillis - madeMillis, AGE_MAX_MS) > 0;
  }

  private static long[] newBlock(int longs) {
    long[] block = new long[HEADER + longs];
    block[CURSOR] = HEADER;
    return block;
  }

  private long[] replace(long[] old, long nowMillis) {
    boolean usedUp = old[CURSOR] == old.length;
    int longs = (old.length - HEADER) * (usedUp ? 2 : 1);
    longs = Math.min(Math.max(longs, BLOCK_MIN), BLOCK_MAX);
    boolean fits = old.length == HEADER + longs;
    long[] block = fits ? old : newBlock(longs);
    fill(block, nowMillis);
    block[MADE_MILLIS] = nowMillis;
    if (!fits) {
      blocks.set(block);
    }
    return block;
  }

  private void fill(long[] block, long nowMillis) {
    int longs = block.length - HEADER;
    lock.lock();
    try {
      if (keyLongsLeft < longs || isOld(nowMillis, keyMillis)) {
        renewKey(nowMillis);
      }
      keyLongsLeft -= longs;
      cipher.update(zeros, 0, longs * Long.BYTES, stream, 0);
      ByteBuffer.wrap(stream).asLongBuffer().get(block, HEADER, longs);
    } catch (GeneralSecurityException e) {
      throw unavailable(e);
    } finally {
      lock.unlock();
    }
  }

  private void renewKey(long nowMillis) throws GeneralSecurityException {
    byte[] seed = new byte[KEY_BYTES + COUNTER_BYTES];
    entropy.fill(seed);
    cipher.init(
        Cipher.ENCRYPT_MODE,
        new SecretKeySpec(seed, 0, KEY_BYTES, "AES"),
        new IvParameterSpec(seed, KEY_BYTES, COUNTER_BYTES));
    keyMillis = nowMillis;
    keyLongsLeft = KEY_LONGS_MAX;
  }

  private static IllegalStateException unavailable(GeneralSecurityException e) {
    return new IllegalStateException(CIPHER + ": unavailable (expected: on every platform)", e);
  }
}
