package dev.idgen.uuid;

/** Bits that the test wrote down; the last ones repeat. */
final class ScriptedBits implements Bits {
  private final long[] script;
  private int at;

  ScriptedBits(long... script) {
    this.script = script;
  }

  @Override
  public long next(long nowMillis) {
    long bits = script[Math.min(at, script.length - 1)];
    at++;
    return bits;
  }
}
