package dev.idgen.store;

/**
 * Which of several databases one is: its ids are equal to the residue, modulo how many there are. A
 * value.
 *
 * @param modulus how many databases share the tags of a namespace, 1 or more
 * @param residue which of them this one is, 0..modulus-1
 */
public record Residue(int modulus, int residue) {

  /** One database alone. */
  public static final Residue ALONE = new Residue(1, 0);

  /** Refuses what no database can be. */
  public Residue {
    if (modulus < 1) {
      throw new IllegalArgumentException("modulus: " + modulus + " (expected: >= 1)");
    }
    if (residue < 0 || residue >= modulus) {
      throw new IllegalArgumentException(
          "residue: " + residue + " (expected: 0.." + (modulus - 1) + ")");
    }
  }

  @Override
  public String toString() {
    return residue + " of " + modulus;
  }
}
