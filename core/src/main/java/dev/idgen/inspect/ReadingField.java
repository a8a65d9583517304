package dev.idgen.inspect;

/**
 * One field of a reading. A value; immutable.
 *
 * @param name what the field is called where such ids come from
 * @param value a decimal number, or hexadecimal digits where the bits are no number, or the text
 * @param bits how many bits of the id it fills; 0 for a field of the text alone, such as a prefix
 */
public record ReadingField(String name, String value, int bits) {}
