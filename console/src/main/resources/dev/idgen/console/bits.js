import { ID_BITS, ID_MAX, field, lastMillis, machineMaximum, maximum, otherFields } from "./layout.js";
import { Refused } from "./refused.js";
import { formatTime } from "./time.js";

/** The id's number where the text is one of 0..2^64-1, else null: a UUID, say, has no bits in a layout. */
export function numberOf(text) {
  if (!/^[0-9]{1,20}$/.test(text)) return null;
  const id = BigInt(text);
  return id <= ID_MAX ? id : null;
}

/** All 64 bits as text, the sign first. */
export function bitsOf(id) {
  return id.toString(2).padStart(ID_BITS, "0");
}

/** The value that a field has in an id. */
export function valueOf(field, id) {
  return (id >> BigInt(field.shift)) & maximum(field);
}

/** Takes an id apart: {millis, machine, sequence, others}, where others maps the names of further fields to values. */
export function unpack(layout, id) {
  const worker = field(layout, "worker");
  const region = field(layout, "region");
  const high = region ? valueOf(region, id) << BigInt(worker.bits) : 0n;
  return {
    millis: layout.epochMillis + valueOf(field(layout, "time"), id) * layout.tickMillis,
    machine: high | valueOf(worker, id),
    sequence: valueOf(field(layout, "sequence"), id),
    others: new Map(otherFields(layout).map((other) => [other.name, valueOf(other, id)])),
  };
}

/** Puts an id together from what unpack gives; a time inside a tick is cut down to the tick. */
export function pack(layout, { millis, machine, sequence, others = new Map() }) {
  const { machineLow, machineHigh } = splitMachine(layout, machine);
  let id = place(field(layout, "time"), ticksOf(layout, millis));
  id |= place(field(layout, "worker"), machineLow);
  id |= place(field(layout, "sequence"), sequence);
  const region = field(layout, "region");
  if (region) id |= place(region, machineHigh);
  for (const other of otherFields(layout)) id |= place(other, others.get(other.name) ?? 0n);
  return id;
}

/** The tick that a time falls into; refused where the layout has none for it. */
export function ticksOf(layout, millis) {
  const last = lastMillis(layout);
  if (millis < layout.epochMillis || millis > last) {
    throw new Refused("time", formatTime(millis), `${formatTime(layout.epochMillis)}..${formatTime(last)}`);
  }
  return (millis - layout.epochMillis) / layout.tickMillis;
}

function splitMachine(layout, machine) {
  const most = machineMaximum(layout);
  if (machine < 0n || machine > most) throw new Refused("machine", machine, `0..${most}`);
  const worker = field(layout, "worker");
  return { machineLow: machine & maximum(worker), machineHigh: machine >> BigInt(worker.bits) };
}

function place(field, value) {
  const most = maximum(field);
  if (value < 0n || value > most) throw new Refused(field.name, value, `0..${most}`);
  return value << BigInt(field.shift);
}

/**
 * Where the server's own reading of an id and this layout part, in words; null where they agree. They part when
 * the server was started anew with another layout while the page stayed open.
 */
export function disagreement(layout, row) {
  const id = numberOf(row.id);
  if (id === null || row.machine === null || row.sequence === null) return null;
  const here = unpack(layout, id);
  for (const name of ["machine", "sequence"]) {
    if (row[name] !== String(here[name])) return `${name}: ${row[name]} (expected: ${here[name]} by layout ${layout.name})`;
  }
  return null;
}
