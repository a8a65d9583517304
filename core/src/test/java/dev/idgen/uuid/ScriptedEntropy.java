package dev.idgen.uuid;

import dev.idgen.entropy.Entropy;
import java.util.HexFormat;

/** Bytes that the test wrote down, in hexadecimal; they repeat from the start when used up. */
final class ScriptedEntropy implements Entropy {
  private final byte[] script;
  private int at;
  int fills;

  ScriptedEntropy(String hex) {
    script = HexFormat.of().parseHex(hex);
  }

  @Override
  public void fill(byte[] bytes) {
    fills++;
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = script[at++ % script.length];
    }
  }
}
