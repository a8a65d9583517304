import { element } from "./dom.js";
import { History, ROW_LIMIT } from "./history.js";

const NONE = "–";

/**
 * The table of ids, newest on top. One row at a time is in the tab order; the arrows move between rows, and Enter,
 * Space or a click chooses one.
 */
export class IdTable {
  #body;
  #empty;
  #count;
  #history = new History();
  #lines = new Map();
  #rows = new WeakMap();
  #chosen = null;
  #onChoose;
  #onCopy;

  constructor({ body, empty, count, onChoose, onCopy }) {
    this.#body = body;
    this.#empty = empty;
    this.#count = count;
    this.#onChoose = onChoose;
    this.#onCopy = onCopy;
    body.addEventListener("click", (event) => this.#clicked(event));
    body.addEventListener("keydown", (event) => this.#pressed(event));
  }

  get chosen() {
    return this.#chosen;
  }

  /** Every id as one text, newest first. */
  get text() {
    return this.#history.rows.map((row) => row.id).join("\n");
  }

  /** Adds rows that came oldest first and chooses the last of them. */
  add(rows) {
    for (const row of rows) this.#body.prepend(this.#line(row));
    for (const gone of this.#history.add(rows)) this.#forget(gone);
    this.#tell();
    if (rows.length > 0) this.choose(rows.at(-1));
  }

  /** Adds a decoded id; one that the table has already is chosen there, so that no id seems to be issued twice. */
  addOrFind(row) {
    const known = this.#history.find(row.id);
    if (known === undefined) return this.add([row]);
    Object.assign(known, { kind: row.kind, readings: row.readings });
    this.choose(known);
    this.#lines.get(known).scrollIntoView({ block: "nearest" });
  }

  /** Marks the row and tells who listens. */
  choose(row) {
    this.#mark(this.#chosen, false);
    this.#chosen = row;
    this.#mark(row, true);
    this.#onChoose(row);
  }

  #mark(row, chosen) {
    const line = row && this.#lines.get(row);
    if (!line) return;
    line.setAttribute("aria-selected", String(chosen));
    if (chosen) this.#reach(line);
  }

  #reach(line) {
    this.#body.querySelector("tr[tabindex='0']")?.setAttribute("tabindex", "-1");
    line.setAttribute("tabindex", "0");
  }

  #line(row) {
    const copy = element("button", { type: "button", class: "quiet", tabindex: "-1", "aria-label": `Copy ${row.id}` }, "Copy");
    const mark = row.source === "decoded" ? element("span", { class: "mark" }, "decoded") : null;
    const line = element(
      "tr",
      { role: "row", tabindex: "-1", "aria-selected": "false", "data-id": row.id },
      cell("id", "Id", element("span", { class: "number", title: row.id }, row.id), mark),
      cell("time", "Time", row.time ?? NONE),
      cell("count", "Machine", row.machine ?? NONE),
      cell("count", "Sequence", row.sequence ?? NONE),
      cell("act", "Copy", copy),
    );
    this.#lines.set(row, line);
    this.#rows.set(line, row);
    return line;
  }

  #forget(row) {
    this.#lines.get(row).remove();
    this.#lines.delete(row);
  }

  #tell() {
    const { length } = this.#history.rows;
    const ids = length === 1 ? "1 id" : `${length} ids`;
    const dropped = this.#history.dropped > 0 ? `, the newest ${ROW_LIMIT}; ${this.#history.dropped} older gone` : "";
    this.#count.textContent = ids + dropped;
    this.#empty.hidden = length > 0;
  }

  #clicked(event) {
    const line = event.target.closest("tr");
    const row = line && this.#rows.get(line);
    if (!row) return;
    const button = event.target.closest("button");
    if (button) this.#onCopy(row.id, button);
    else this.choose(row);
  }

  #pressed(event) {
    const row = this.#rows.get(event.target); // only a row itself: a button inside it acts on its own
    if (!row) return;
    const act = {
      Enter: () => this.choose(row),
      " ": () => this.choose(row),
      ArrowDown: () => this.#focus(event.target.nextElementSibling),
      ArrowUp: () => this.#focus(event.target.previousElementSibling),
      Home: () => this.#focus(this.#body.firstElementChild),
      End: () => this.#focus(this.#body.lastElementChild),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  #focus(line) {
    if (!line) return;
    this.#reach(line);
    line.focus();
  }
}

/** A narrow window lays a row out in two lines; the roles keep it a row, and the label takes the place of the head. */
function cell(kind, label, ...content) {
  return element("td", { role: "gridcell", class: kind, "data-label": label }, ...content);
}
