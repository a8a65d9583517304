import { Refused, shown } from "./refused.js";

const DATE_LIMIT_MS = 8_640_000_000_000_000n; // the last millisecond a Date can hold, either way; below 2^53
const ISO = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3}))?)?Z?$/i;
const UNIX_MILLIS = /^-?\d{1,16}$/;
const EXPECTED = "UTC like 2026-11-29T16:06:01.123Z, or Unix milliseconds";

/** Reads a UTC time, or Unix milliseconds, to milliseconds since 1970. Days that no calendar has are refused. */
export function parseTime(field, text) {
  const trimmed = text.trim();
  if (UNIX_MILLIS.test(trimmed)) return BigInt(trimmed);
  const parts = ISO.exec(trimmed);
  const millis = parts && millisOf(parts);
  if (millis === null) throw new Refused(field, shown(trimmed), EXPECTED);
  return millis;
}

function millisOf([, year, month, day, hour, minute, second = "00", fraction = "0"]) {
  const text = `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.padEnd(3, "0")}Z`;
  const date = new Date(text);
  // Engines differ on 30 February: some roll over to March. Only what prints as it was typed is a time.
  return !Number.isNaN(date.getTime()) && date.toISOString() === text ? BigInt(date.getTime()) : null;
}

/** Prints milliseconds since 1970 as UTC; past what a Date can hold, as a plain count. */
export function formatTime(millis) {
  const printable = millis <= DATE_LIMIT_MS && millis >= -DATE_LIMIT_MS;
  return printable ? new Date(Number(millis)).toISOString() : `${millis} ms`;
}
