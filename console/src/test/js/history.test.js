import assert from "node:assert/strict";
import { test } from "node:test";
import { History, ROW_LIMIT } from "../../main/resources/dev/idgen/console/history.js";

const rows = (from, count) => Array.from({ length: count }, (_, at) => ({ id: String(from + at) }));
const ids = (history) => history.rows.map(({ id }) => id);

test("add_twice_newestIsOnTopAndEarlierAreKept", () => {
  const history = new History();
  history.add(rows(1, 2));
  history.add(rows(3, 2));
  assert.deepEqual(ids(history), ["4", "3", "2", "1"]);
});

test("add_pastTheLimit_dropsTheOldestAndCountsThem", () => {
  const history = new History();
  history.add(rows(0, ROW_LIMIT));
  const gone = history.add(rows(ROW_LIMIT, 3));
  assert.deepEqual(gone.map(({ id }) => id).sort(), ["0", "1", "2"]);
  assert.equal(history.rows.length, ROW_LIMIT);
  assert.equal(history.dropped, 3);
});

test("find_knownOrNot_givesTheRowOrNothing", () => {
  const history = new History();
  history.add(rows(1, 3));
  assert.equal(history.find("2"), history.rows[1]);
  assert.equal(history.find("9"), undefined);
});
