import assert from "node:assert/strict";
import { test } from "node:test";
import { bitsOf, disagreement, numberOf, pack, unpack, valueOf } from "../../main/resources/dev/idgen/console/bits.js";
import { field, lastMillis, machineMaximum, maximum, otherFields } from "../../main/resources/dev/idgen/console/layout.js";
import { layouts } from "./layouts.js";

const LARGEST = 9223372036854775807n;

test("numberOf_edges_isExact", () => {
  for (const id of [0n, (1n << 31n) - 1n, 1n << 31n, 1n << 32n, 1n << 53n, (1n << 53n) + 1n, LARGEST, (1n << 64n) - 1n]) {
    assert.equal(numberOf(String(id)), id);
  }
});

test("numberOf_noSuchNumber_isNull", () => {
  for (const text of ["", "abc", "-1", "1.0", "1e3", "0x10", "٣", " 1", "18446744073709551616", "9".repeat(100), "01a13522-4200-7abc-8def-0123456789ab"]) {
    assert.equal(numberOf(text), null);
  }
});

test("bitsOf_edges_has64Digits", () => {
  assert.equal(bitsOf(0n), "0".repeat(64));
  assert.equal(bitsOf(LARGEST), "0" + "1".repeat(63));
  assert.equal(bitsOf((1n << 53n) + 1n), "0".repeat(10) + "1" + "0".repeat(52) + "1");
});

test("unpack_knownId_givesItsParts", () => {
  const parts = unpack(layouts.plain, 721864159923240960n);
  assert.deepEqual(parts, { millis: 1704067200000n + 172105827313n, machine: 248n, sequence: 0n, others: new Map() });
});

test("unpack_split_machineIsRegionThenWorker", () => {
  const id = (3n << 17n) | (7n << 12n);
  assert.equal(unpack(layouts.split, id).machine, 3n * 32n + 7n);
  assert.equal(valueOf(field(layouts.split, "region"), id), 3n);
});

/** A known generator of numbers, so that a failure can be replayed: node run.js with IDGEN_SEED set. */
function random(seed) {
  let state = seed;
  return (most) => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & ((1n << 64n) - 1n);
    return (state >> 1n) % (most + 1n);
  };
}

test("pack_randomParts_unpackGivesThemBack", () => {
  const seed = BigInt(process.env.IDGEN_SEED ?? Date.now());
  console.log(`IDGEN_SEED=${seed}`);
  const next = random(seed);
  for (const layout of Object.values(layouts)) {
    for (let round = 0; round < 2000; round++) {
      const parts = {
        millis: layout.epochMillis + next(maximum(field(layout, "time"))) * layout.tickMillis,
        machine: next(machineMaximum(layout)),
        sequence: next(maximum(field(layout, "sequence"))),
        others: new Map(otherFields(layout).map((other) => [other.name, next(maximum(other))])),
      };
      const id = pack(layout, parts);
      assert.deepEqual(unpack(layout, id), parts);
      assert.ok(id >= 0n && id <= LARGEST);
    }
  }
});

test("pack_everyPartAtItsEnd_fillsEveryBitButTheSign", () => {
  const layout = layouts.plain;
  assert.equal(pack(layout, { millis: lastMillis(layout), machine: 1023n, sequence: 4095n }), LARGEST);
  assert.equal(pack(layout, { millis: layout.epochMillis, machine: 0n, sequence: 0n }), 0n);
});

test("pack_timeInsideATick_isCutToTheTick", () => {
  const parts = { millis: layouts.machineLast.epochMillis + 19n, machine: 1n, sequence: 2n };
  assert.equal(unpack(layouts.machineLast, pack(layouts.machineLast, parts)).millis, layouts.machineLast.epochMillis + 10n);
});

const parts = { millis: 1704067200000n, machine: 0n, sequence: 0n };
const refusals = [
  ["timeBeforeTheEpoch", { millis: 1704067199999n }, "time: 2023-12-31T23:59:59.999Z (expected: 2024-01-01T00:00:00.000Z..2093-09-06T15:47:35.551Z)"],
  ["timePastTheEnd", { millis: 1704067200000n + (1n << 41n) }, "time: 2093-09-06T15:47:35.552Z (expected: 2024-01-01T00:00:00.000Z..2093-09-06T15:47:35.551Z)"],
  ["machine", { machine: 1024n }, "machine: 1024 (expected: 0..1023)"],
  ["negativeMachine", { machine: -1n }, "machine: -1 (expected: 0..1023)"],
  ["sequence", { sequence: 4096n }, "sequence: 4096 (expected: 0..4095)"],
];

for (const [name, change, message] of refusals) {
  test(`pack_${name}OutOfRange_saysNameValueExpected`, () => {
    assert.throws(() => pack(layouts.plain, { ...parts, ...change }), { message });
  });
}

test("disagreement_serverReadsOtherwise_saysHow", () => {
  const id = String((1n << 22n) | (7n << 12n) | 5n);
  assert.equal(disagreement(layouts.plain, { id, machine: "7", sequence: "5" }), null);
  assert.equal(disagreement(layouts.plain, { id, machine: "8", sequence: "5" }), "machine: 8 (expected: 7 by layout 41/10/12)");
  assert.equal(disagreement(layouts.plain, { id, machine: "7", sequence: "6" }), "sequence: 6 (expected: 5 by layout 41/10/12)");
  assert.equal(disagreement(layouts.plain, { id: "01J", machine: null, sequence: null }), null);
});
