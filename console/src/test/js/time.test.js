import assert from "node:assert/strict";
import { test } from "node:test";
import { formatTime, parseTime } from "../../main/resources/dev/idgen/console/time.js";

test("parseTime_everyFormTaken_isTheSameInstant", () => {
  const instant = 1795968361123n;
  for (const text of ["2026-11-29T16:06:01.123Z", " 2026-11-29 16:06:01.123 ", "2026-11-29t16:06:01.123z", "1795968361123"]) {
    assert.equal(parseTime("time", text), instant);
  }
  assert.equal(parseTime("time", "2026-11-29T16:06Z"), 1795968360000n);
  assert.equal(parseTime("time", "2026-11-29T16:06:01.1Z"), 1795968361100n);
  assert.equal(parseTime("time", "-1"), -1n);
});

test("parseTime_noSuchTime_isRefused", () => {
  const wrong = ["", "soon", "2026-02-30T00:00Z", "2025-02-29T00:00Z", "2026-13-01T00:00Z", "2026-11-29T24:00Z", "2026-11-29T16:60Z",
    "2026-11-29T16:06:01.1234Z", "2026-11-29", "2026-11-29T16:06:01+02:00", "99999999999999999"];
  for (const text of wrong) {
    const message = `time: ${text || "empty"} (expected: UTC like 2026-11-29T16:06:01.123Z, or Unix milliseconds)`;
    assert.throws(() => parseTime("time", text), { message });
  }
});

test("formatTime_whatParseTimeRead_isPrintedBack", () => {
  for (const text of ["1970-01-01T00:00:00.000Z", "2026-11-29T16:06:01.123Z", "2024-02-29T23:59:59.999Z"]) {
    assert.equal(formatTime(parseTime("time", text)), text);
  }
});

test("formatTime_pastTheCalendar_isACount", () => {
  assert.equal(formatTime(8640000000000001n), "8640000000000001 ms");
});
