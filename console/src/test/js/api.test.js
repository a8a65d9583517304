import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { decode, fetchLayout, generate } from "../../main/resources/dev/idgen/console/api.js";

const real = globalThis.fetch;
const asked = [];
afterEach(() => {
  globalThis.fetch = real;
  asked.length = 0;
});

function answers(body, { status = 200, headers = {} } = {}) {
  globalThis.fetch = async (path) => {
    asked.push(path);
    return new Response(typeof body === "string" ? body : JSON.stringify(body), { status, headers });
  };
}

test("generate_list_becomesRows", async () => {
  answers([{ id: "721864159923240960", time: "2026-11-29T16:06:01.123Z", machine: 7, sequence: 0 }]);
  assert.deepEqual(await generate(), [{
    id: "721864159923240960", time: "2026-11-29T16:06:01.123Z", machine: "7", sequence: "0", kind: null, readings: null, source: "generated",
  }]);
  assert.deepEqual(asked, ["api/ids?n=5"]);
});

test("generate_idAsNumber_isRefused", async () => {
  answers('[{"id":721864159923240961}]');
  await assert.rejects(generate(), { message: /^id: 7218641599232\d+ \(expected: an id as text\)$/ });
});

test("decode_spacesAround_areTrimmed", async () => {
  answers({ id: "5" });
  await decode("\n 5\t ");
  assert.deepEqual(asked, ["api/ids/5"]);
});

test("decode_anyCharacter_staysInsideItsPathSegment", async () => {
  answers({ id: "x" });
  await decode("a/../b?c#d%");
  assert.deepEqual(asked, ["api/ids/a%2F..%2Fb%3Fc%23d%25"]);
});

test("decode_textThatIsNoId_isRefusedBeforeAsking", async () => {
  answers({});
  await assert.rejects(decode("  "), { message: "id: empty (expected: an id to decode)" });
  await assert.rejects(decode(".."), { message: "id: .. (expected: an id to decode)" });
  await assert.rejects(decode("\ud800"), { message: "id: half a surrogate pair (expected: whole characters)" });
  await assert.rejects(decode("1".repeat(513)), { message: "id: 513 characters (expected: at most 512)" });
  assert.deepEqual(asked, []);
});

test("decode_foreignId_showsWhatIsThere", async () => {
  const fields = [{ name: "random", value: "2438283957299087213" }];
  const reading = { kind: "uuid-v7", title: "UUID version 7", form: "uuid", time: "2026-10-13T12:00:00.000Z", fields, reason: "time is plausible" };
  answers({ time: null, machine: null, kind: "uuid-v7", readings: [reading] });
  const row = await decode("01a13522-4200-7abc-8def-0123456789ab");
  assert.equal(row.id, "01a13522-4200-7abc-8def-0123456789ab");
  assert.equal(row.time, "2026-10-13T12:00:00.000Z");
  assert.equal(row.machine, null);
  assert.deepEqual(row.readings, [{ ...reading, note: null }]);
});

test("get_problem_speaksInTheServersWords", async () => {
  const problem = { title: "Bad id", status: 400, detail: "id: abc (expected: a decimal)", reason: "INVALID_ID", traceId: "4bf9" };
  answers(problem, { status: 400 });
  await assert.rejects(decode("abc"), { title: "Bad id", detail: "id: abc (expected: a decimal)", reason: "INVALID_ID", traceId: "4bf9" });
});

test("get_refusalWithRetryAfter_saysWhen", async () => {
  answers({ title: "Overloaded", reason: "OVERLOADED" }, { status: 503, headers: { "retry-after": "3" } });
  await assert.rejects(generate(), { title: "Overloaded", retryAfter: "3" });
});

test("get_proxysErrorPage_isReducedToItsStatus", async () => {
  answers("<html>Bad gateway</html>", { status: 502 });
  await assert.rejects(fetchLayout(), { message: "HTTP 502" });
});

test("get_answerOfAnotherShape_isRefused", async () => {
  const said = /^The server's answer makes no sense here: answer: another shape \(expected: /;
  for (const body of ["", "null", "<html>", "{}"]) {
    answers(body);
    await assert.rejects(generate(), { message: said });
  }
  answers("[]");
  await assert.rejects(decode("5"), { message: said });
});

test("get_noServer_saysSo", async () => {
  globalThis.fetch = async () => { throw new TypeError("fetch failed"); };
  await assert.rejects(generate(), { message: "No answer from the server: is it running, and reachable from here?" });
  globalThis.fetch = async () => { throw new DOMException("late", "TimeoutError"); };
  await assert.rejects(generate(), { message: "No answer from the server: waited 10 s" });
});
