import { Refused, shown } from "./refused.js";

/** How many ids one press makes. */
export const GENERATE_COUNT = 5;
const ANSWER_TIMEOUT_MS = 10_000;
const ID_TEXT_LIMIT = 512; // far past any known id text; an address this long is still accepted everywhere

/** The server's refusal, in its own words, or that no answer came. */
export class Problem extends Error {
  constructor({ title, detail = "", reason = "", traceId = "", retryAfter = "" }) {
    super(detail ? `${title}: ${detail}` : title);
    this.name = "Problem";
    Object.assign(this, { title, detail, reason, traceId, retryAfter });
  }
}

/** The next ids, oldest first, as rows. */
export async function generate() {
  const answer = await get(`api/ids?n=${GENERATE_COUNT}`);
  if (!Array.isArray(answer)) throw unexpected("a list of ids");
  return answer.map((item) => rowOf(item, "generated"));
}

/** What the server reads from a text, as one row with its readings. */
export async function decode(text) {
  const id = text.trim();
  if (id === "") throw new Refused("id", "empty", "an id to decode");
  if (id.length > ID_TEXT_LIMIT) throw new Refused("id", `${id.length} characters`, `at most ${ID_TEXT_LIMIT}`);
  const answer = await get(`api/ids/${escaped(id)}`);
  if (typeof answer !== "object" || Array.isArray(answer)) throw unexpected("one id");
  return rowOf({ id, ...answer }, "decoded");
}

/** The cluster's layout as the server tells it, unchecked. */
export function fetchLayout() {
  return get("api/layout");
}

/** A dot or two alone would be taken for a folder, escaped or not, and ask another question than the one typed. */
function escaped(id) {
  if (id === "." || id === "..") throw new Refused("id", id, "an id to decode");
  try {
    return encodeURIComponent(id);
  } catch (cause) {
    throw new Refused("id", "half a surrogate pair", "whole characters");
  }
}

async function get(path) {
  let response;
  let body;
  try {
    response = await fetch(path, {
      headers: { accept: "application/json" },
      cache: "no-store",
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
    body = await response.text();
  } catch (cause) {
    throw new Problem({ title: "No answer from the server", detail: reasonOf(cause) });
  }
  if (!response.ok) throw problemOf(response, body);
  const answer = parsed(body);
  if (answer === null) throw unexpected("JSON");
  return answer;
}

function reasonOf(cause) {
  return cause.name === "TimeoutError" ? `waited ${ANSWER_TIMEOUT_MS / 1000} s` : "is it running, and reachable from here?";
}

function problemOf(response, body) {
  const said = parsed(body) ?? {};
  return new Problem({
    title: textOf(said.title) ?? `HTTP ${response.status}`,
    detail: textOf(said.detail) ?? "",
    reason: textOf(said.reason) ?? "",
    traceId: textOf(said.traceId) ?? "",
    retryAfter: response.headers.get("retry-after") ?? "",
  });
}

/** Null where the body is no JSON: a proxy's error page is not worth showing, its status is. */
function parsed(body) {
  try {
    return JSON.parse(body);
  } catch (notJson) {
    return null;
  }
}

function unexpected(expected) {
  return new Problem({ title: "The server's answer makes no sense here", detail: `answer: another shape (expected: ${expected})` });
}

function rowOf(item, source) {
  // A JSON number past 2^53 has lost its low bits before anyone could look: only text is an id.
  if (typeof item?.id !== "string" || item.id === "") throw new Refused("id", shown(String(item?.id)), "an id as text");
  const readings = Array.isArray(item.readings) ? item.readings.map(readingOf) : null;
  return {
    id: item.id,
    time: textOf(item.time) ?? readings?.[0]?.time ?? null,
    machine: textOf(item.machine),
    sequence: textOf(item.sequence),
    kind: textOf(item.kind),
    readings,
    source,
  };
}

function readingOf(reading) {
  const fields = Array.isArray(reading?.fields) ? reading.fields : [];
  return {
    kind: textOf(reading?.kind) ?? "unknown",
    title: textOf(reading?.title),
    form: textOf(reading?.form),
    time: textOf(reading?.time),
    fields: fields.map(({ name, value }) => ({ name: String(name), value: String(value) })),
    reason: textOf(reading?.reason),
    note: textOf(reading?.note),
  };
}

function textOf(value) {
  return value === undefined || value === null ? null : String(value);
}
