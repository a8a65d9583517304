import { Refused } from "./refused.js";
import { formatTime } from "./time.js";

/**
 * The cluster's layout: which bits of an id are time, machine and sequence. Everything here is arithmetic on
 * BigInt; a number would lose the low bits of an id past 2^53.
 *
 * A layout is {name, fields, tickMillis, epochMillis}; a field is {name, bits, shift}. After parsing, the fields
 * go from the most significant to the least and cover all 64 bits: what the server left out is named "unused".
 */
export const ID_BITS = 64;
export const ID_MAX = (1n << 64n) - 1n;
const REQUIRED = ["time", "worker", "sequence"];
const COLOURS = { sign: "time", time: "time", region: "region", worker: "machine", sequence: "sequence" };
const SAFE_BITS = 53; // what a JavaScript number holds exactly

/** Checks the server's answer and makes a layout of it; never repairs one that does not fit. */
export function parseLayout(answer) {
  if (!Array.isArray(answer?.fields)) throw new Refused("layout.fields", typeof answer?.fields, "a list");
  const fields = answer.fields.map(parseField).sort((a, b) => b.shift - a.shift);
  checkNames(fields);
  return Object.freeze({
    name: String(answer.name ?? ""),
    fields: Object.freeze(withGaps(fields)),
    tickMillis: whole("layout.tickMillis", answer.tickMillis, 1n),
    epochMillis: whole("layout.epochMillis", answer.epochMillis, 0n),
  });
}

function parseField({ name, bits, shift }) {
  const fits = Number.isInteger(bits) && Number.isInteger(shift) && bits > 0 && shift >= 0 && bits + shift <= ID_BITS;
  if (!fits) throw new Refused(`layout.${name}`, `${bits} bits at ${shift}`, `inside ${ID_BITS} bits`);
  return Object.freeze({ name: String(name), bits, shift });
}

function checkNames(fields) {
  const names = fields.map((field) => field.name);
  for (const name of REQUIRED) {
    if (!names.includes(name)) throw new Refused("layout.fields", names.join(", ") || "empty", `a field ${name}`);
  }
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new Refused("layout.fields", `${twice} twice`, "each field once");
}

function withGaps(fields) {
  const covered = [];
  let above = ID_BITS;
  for (const field of fields) {
    const end = field.shift + field.bits;
    if (end > above) throw new Refused(`layout.${field.name}`, `ends at bit ${end}`, `0..${above}`);
    if (end < above) covered.push(unused(end, above));
    covered.push(field);
    above = field.shift;
  }
  if (above > 0) covered.push(unused(0, above));
  return covered;
}

function unused(shift, end) {
  return Object.freeze({ name: "unused", bits: end - shift, shift });
}

function whole(name, value, minimum) {
  const plain = typeof value === "string" ? /^\d{1,16}$/.test(value) : Number.isSafeInteger(value);
  if (!plain || BigInt(value) < minimum) throw new Refused(name, value, `a whole number from ${minimum}`);
  return BigInt(value);
}

/** The largest value of a field. */
export function maximum(field) {
  return (1n << BigInt(field.bits)) - 1n;
}

/** The field of that name, or undefined where the layout has none. */
export function field(layout, name) {
  return layout.fields.find((each) => each.name === name);
}

/** The field that owns a bit; bit 63 is the sign. */
export function fieldOfBit(layout, bit) {
  return layout.fields.find((each) => bit >= each.shift && bit < each.shift + each.bits);
}

/** The colour of a field: sign and time share one; fields that every layout need not have are plain. */
export function colourOf(field) {
  return COLOURS[field.name] ?? "plain";
}

/** The bits that tell generators apart: the worker's, with the region's above them where they are split. */
export function machineBits(layout) {
  return (field(layout, "region")?.bits ?? 0) + field(layout, "worker").bits;
}

/** The largest machine. */
export function machineMaximum(layout) {
  return (1n << BigInt(machineBits(layout))) - 1n;
}

/** Fields beyond time, machine and sequence that a person may set, such as a version. */
export function otherFields(layout) {
  const known = ["sign", "unused", "region", ...REQUIRED];
  return layout.fields.filter((each) => !known.includes(each.name));
}

/** The last millisecond that the layout's time field can hold. */
export function lastMillis(layout) {
  return layout.epochMillis + (maximum(field(layout, "time")) + 1n) * layout.tickMillis - 1n;
}

/** What somebody who packs or sorts ids of this layout must know, in words. */
export function cautions(layout) {
  const said = [
    `This id means this only under layout ${layout.name} with epoch ${formatTime(layout.epochMillis)}. ` +
      "Another layout reads other values from the same number.",
    "Packing reserves nothing: the cluster may have issued this id already, or may yet.",
  ];
  if (layout.tickMillis > 1n) said.push(`One tick is ${layout.tickMillis} ms: a time is cut down to it.`);
  if (!timeLeads(layout)) said.push("Time is not in the top bits: ids of this layout do not sort by time.");
  if (usedBits(layout) > SAFE_BITS) said.push("Past 2^53 a JavaScript number is not exact: keep ids as text.");
  return said;
}

function timeLeads(layout) {
  const time = field(layout, "time");
  return ["region", "worker", "sequence"].every((name) => (field(layout, name)?.shift ?? 0) < time.shift || !field(layout, name));
}

function usedBits(layout) {
  const top = layout.fields.find((each) => each.name !== "sign" && each.name !== "unused");
  return top.shift + top.bits;
}
