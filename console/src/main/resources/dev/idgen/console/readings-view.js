import { element } from "./dom.js";

const BEST_SHOWN = 3;

/** Shows what a text may be, best first: every plausible reading that the server found, with its fields. */
export class ReadingsView {
  #root;

  constructor(root) {
    this.#root = root;
  }

  /** @param readings the server's list, or null where the row was not decoded */
  show(readings) {
    this.#root.hidden = !readings?.length;
    if (this.#root.hidden) return this.#root.replaceChildren();
    const title = readings.length === 1 ? "Read as" : `${readings.length} readings, best first`;
    const best = element("ol", {}, ...readings.slice(0, BEST_SHOWN).map(entry));
    this.#root.replaceChildren(element("h3", {}, title), best, ...others(readings.slice(BEST_SHOWN)));
  }
}

/** A plain number can be an id of a dozen kinds; the unlikely ones must not push the table out of sight. */
function others(readings) {
  if (readings.length === 0) return [];
  const list = element("ol", { start: BEST_SHOWN + 1 }, ...readings.map(entry));
  return [element("details", {}, element("summary", {}, `${readings.length} less likely`), list)];
}

function entry({ kind, title, form, time, fields, reason, note }) {
  const head = element("p", { class: "kind" }, element("b", { title: kind }, title ?? kind), form ? element("span", { class: "form" }, form) : null);
  const pairs = time === null ? fields : [{ name: "time", value: time }, ...fields.filter(({ name }) => name !== "time")];
  const list = element("dl", {}, ...pairs.map(({ name, value }) => element("div", {}, element("dt", {}, name), element("dd", {}, value))));
  const notes = [reason, note].filter(Boolean).map((said) => element("p", { class: "note" }, said));
  return element("li", {}, head, list, ...notes);
}
