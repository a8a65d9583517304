import assert from "node:assert/strict";
import { test } from "node:test";
import { parseUnsigned } from "../../main/resources/dev/idgen/console/refused.js";

test("parseUnsigned_edges_areExact", () => {
  assert.equal(parseUnsigned("machine", " 007 ", 1023n), 7n);
  assert.equal(parseUnsigned("id", "18446744073709551615", (1n << 64n) - 1n), 18446744073709551615n);
});

test("parseUnsigned_notInRange_saysNameValueExpected", () => {
  for (const [text, said] of [["1024", "1024"], ["-1", "-1"], ["", "empty"], ["1.5", "1.5"], ["7x", "7x"], ["0x7", "0x7"], ["９", "９"]]) {
    assert.throws(() => parseUnsigned("machine", text, 1023n), { message: `machine: ${said} (expected: 0..1023)`, field: "machine" });
  }
});

test("parseUnsigned_endless_isCutInTheError", () => {
  const message = `machine: ${"9".repeat(60)}… (expected: 0..1023)`;
  assert.throws(() => parseUnsigned("machine", "9".repeat(100000), 1023n), { message });
});
