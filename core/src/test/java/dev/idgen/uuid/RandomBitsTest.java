package dev.idgen.uuid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.entropy.Entropy;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

class RandomBitsTest {
  private static final String SEED = "00112233445566778899aabbccddeeff".repeat(3);

  /** FIPS 197 and SP 800-38A: what the platform's own cipher gives in one piece. */
  @Test
  void next_oneKey_isItsKeyStream() throws Exception {
    byte[] seed = new byte[48];
    new ScriptedEntropy(SEED).fill(seed);
    Cipher cipher = Cipher.getInstance("AES/CTR/NoPadding");
    cipher.init(
        Cipher.ENCRYPT_MODE,
        new SecretKeySpec(seed, 0, 32, "AES"),
        new IvParameterSpec(seed, 32, 16));
    ByteBuffer stream = ByteBuffer.wrap(cipher.update(new byte[20_000 * Long.BYTES]));
    ScriptedEntropy entropy = new ScriptedEntropy(SEED);
    RandomBits bits = new RandomBits(entropy);
    for (int i = 0; i < 20_000; i++) {
      assertEquals(stream.getLong(), bits.next(7));
    }
    assertEquals(1, entropy.fills);
  }

  @Test
  void next_heldBitsGrowOld_drawsAKey() {
    ScriptedEntropy entropy = new ScriptedEntropy(SEED);
    RandomBits bits = new RandomBits(entropy);
    long first = bits.next(5000);
    bits.next(5000 + RandomBits.AGE_MAX_MS);
    assertEquals(1, entropy.fills);
    assertEquals(first, bits.next(5001 + RandomBits.AGE_MAX_MS), "the script repeats: a new key");
    assertEquals(2, entropy.fills);
  }

  @Test
  void next_clockGoesBack_drawsAKey() {
    ScriptedEntropy entropy = new ScriptedEntropy(SEED);
    RandomBits bits = new RandomBits(entropy);
    bits.next(5000);
    bits.next(4999);
    assertEquals(2, entropy.fills);
    bits.next(4999);
    assertEquals(2, entropy.fills);
  }

  @Test
  void next_keyUsedFor64MiB_drawsAKey() {
    ScriptedEntropy entropy = new ScriptedEntropy(SEED);
    RandomBits bits = new RandomBits(entropy);
    int longs = 1 << 23;
    for (int i = 0; i < longs - 1000; i++) {
      bits.next(0);
    }
    assertEquals(1, entropy.fills);
    for (int i = 0; i < 2000; i++) {
      bits.next(0);
    }
    assertEquals(2, entropy.fills);
  }

  @Test
  void next_twoThreads_shareNoBits() {
    RandomBits bits = new RandomBits(new ScriptedEntropy(SEED));
    Set<Long> seen = new HashSet<>();
    for (int i = 0; i < 1000; i++) {
      assertTrue(seen.add(bits.next(0)));
      assertTrue(seen.add(CompletableFuture.supplyAsync(() -> bits.next(0)).join()));
    }
  }

  @Test
  void next_realEntropy_differsBetweenInstances() {
    assertNotEquals(
        new RandomBits(Entropy.secure()).next(0), new RandomBits(Entropy.secure()).next(0));
  }
}
