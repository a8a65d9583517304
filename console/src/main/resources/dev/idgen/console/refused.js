/** A value that cannot stand: says its name, the value, and what was expected instead. */
export class Refused extends Error {
  constructor(field, value, expected) {
    super(`${field}: ${value} (expected: ${expected})`);
    this.name = "Refused";
    this.field = field;
  }
}

const DIGITS_LIMIT = 20; // 2^64 - 1 has 20 digits; BigInt would take any length, and its time to read it

/** Reads a decimal of 0..maximum exactly; an id never passes through a floating-point number. */
export function parseUnsigned(field, text, maximum) {
  const digits = text.trim();
  const plain = /^[0-9]+$/.test(digits) && digits.length <= DIGITS_LIMIT;
  if (!plain || BigInt(digits) > maximum) {
    throw new Refused(field, shown(digits), `0..${maximum}`);
  }
  return BigInt(digits);
}

const SHOWN_LIMIT = 60;

/** The text as an error repeats it: an empty one is made visible, a long one is cut. */
export function shown(text) {
  if (text === "") return "empty";
  return text.length <= SHOWN_LIMIT ? text : `${text.slice(0, SHOWN_LIMIT)}…`;
}
