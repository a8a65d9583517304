import assert from "node:assert/strict";
import { test } from "node:test";
import {
  cautions, colourOf, field, fieldOfBit, lastMillis, machineMaximum, otherFields, parseLayout,
} from "../../main/resources/dev/idgen/console/layout.js";
import { formatTime } from "../../main/resources/dev/idgen/console/time.js";
import { answers, layouts } from "./layouts.js";

const names = (layout) => layout.fields.map(({ name }) => name);

test("parseLayout_fieldsInAnyOrder_goFromTheMostSignificant", () => {
  const shuffled = { ...answers.split, fields: [...answers.split.fields].reverse() };
  assert.deepEqual(names(parseLayout(shuffled)), ["sign", "time", "region", "worker", "sequence"]);
});

test("parseLayout_bitsLeftOut_areNamedUnused", () => {
  assert.deepEqual(names(layouts.gap), ["sign", "unused", "time", "worker", "sequence"]);
  assert.deepEqual(layouts.gap.fields[1], { name: "unused", bits: 10, shift: 53 });
});

test("parseLayout_signLeftOut_coversAll64Bits", () => {
  const unsigned = { ...answers.plain, fields: answers.plain.fields.slice(1) };
  const covered = parseLayout(unsigned).fields.reduce((sum, { bits }) => sum + bits, 0);
  assert.equal(covered, 64);
});

test("parseLayout_lowestBitsLeftOut_areNamedUnused", () => {
  const fields = [{ name: "time", bits: 40, shift: 24 }, { name: "worker", bits: 8, shift: 16 }, { name: "sequence", bits: 8, shift: 8 }];
  assert.deepEqual(parseLayout({ ...answers.plain, fields }).fields.at(-1), { name: "unused", bits: 8, shift: 0 });
});

const refusals = [
  ["noFields", { fields: undefined }, "layout.fields: undefined (expected: a list)"],
  ["emptyFields", { fields: [] }, "layout.fields: empty (expected: a field time)"],
  ["overlap", { fields: [["sign", 1, 63], ["time", 41, 22], ["worker", 11, 12], ["sequence", 12, 0]] }, "layout.worker: ends at bit 23 (expected: 0..22)"],
  ["pastTheTop", { fields: [["time", 41, 24]] }, "layout.time: 41 bits at 24 (expected: inside 64 bits)"],
  ["noBits", { fields: [["time", 0, 24]] }, "layout.time: 0 bits at 24 (expected: inside 64 bits)"],
  ["twice", { fields: [["time", 4, 0], ["worker", 4, 4], ["sequence", 4, 8], ["time", 4, 12]] }, "layout.fields: time twice (expected: each field once)"],
  ["noWorker", { fields: [["time", 4, 0], ["sequence", 4, 8]] }, "layout.fields: sequence, time (expected: a field worker)"],
  ["tickZero", { tickMillis: 0 }, "layout.tickMillis: 0 (expected: a whole number from 1)"],
  ["tickBroken", { tickMillis: 0.5 }, "layout.tickMillis: 0.5 (expected: a whole number from 1)"],
  ["epochWord", { epochMillis: "then" }, "layout.epochMillis: then (expected: a whole number from 0)"],
];

for (const [name, change, message] of refusals) {
  test(`parseLayout_${name}_saysNameValueExpected`, () => {
    const fields = change.fields?.map(([name, bits, shift]) => ({ name, bits, shift }));
    const answer = { ...answers.plain, ...change, ...("fields" in change ? { fields } : {}) };
    assert.throws(() => parseLayout(answer), { message });
  });
}

test("fieldOfBit_everyBit_hasExactlyOneOwner", () => {
  for (const layout of Object.values(layouts)) {
    for (let bit = 0; bit < 64; bit++) {
      const owner = fieldOfBit(layout, bit);
      assert.ok(bit >= owner.shift && bit < owner.shift + owner.bits);
    }
  }
  assert.equal(fieldOfBit(layouts.plain, 63).name, "sign");
  assert.equal(fieldOfBit(layouts.plain, 62).name, "time");
  assert.equal(fieldOfBit(layouts.plain, 21).name, "worker");
  assert.equal(fieldOfBit(layouts.plain, 11).name, "sequence");
});

test("colourOf_signAndTime_shareOne_regionAndWorkerDoNot", () => {
  assert.equal(colourOf(field(layouts.split, "sign")), colourOf(field(layouts.split, "time")));
  const apart = new Set(["time", "region", "worker", "sequence"].map((name) => colourOf(field(layouts.split, name))));
  assert.equal(apart.size, 4);
});

test("machineMaximum_split_countsRegionAndWorker", () => {
  assert.equal(machineMaximum(layouts.split), 1023n);
  assert.equal(machineMaximum(layouts.plain), 1023n);
  assert.equal(machineMaximum(layouts.safe), 7n);
});

test("otherFields_version_isToBeTyped", () => {
  assert.deepEqual(otherFields(layouts.versioned).map(({ name }) => name), ["version"]);
  assert.deepEqual(otherFields(layouts.split), []);
});

test("lastMillis_default_isTheLastTickOf2093", () => {
  assert.equal(formatTime(lastMillis(layouts.plain)), "2093-09-06T15:47:35.551Z");
});

test("cautions_everyLayout_saysThatPackingReservesNothing", () => {
  for (const layout of Object.values(layouts)) {
    assert.match(cautions(layout)[0], new RegExp(`under layout ${layout.name.replaceAll("+", "\\+")} with epoch 2024-01-01T00:00:00.000Z`));
    assert.match(cautions(layout)[1], /reserves nothing/);
  }
});

test("cautions_oddLayouts_sayWhatIsOdd", () => {
  const said = (layout) => cautions(layout).slice(2).join(" ");
  assert.match(said(layouts.machineLast), /One tick is 10 ms/);
  assert.match(said(layouts.workerFirst), /do not sort by time/);
  assert.doesNotMatch(said(layouts.machineLast), /do not sort by time/);
  assert.match(said(layouts.plain), /2\^53/);
  assert.equal(said(layouts.safe), "");
});
