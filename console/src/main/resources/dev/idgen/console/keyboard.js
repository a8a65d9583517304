import { element } from "./dom.js";
import { recall, remember } from "./memory.js";

const KEY = "idgen.shortcuts";

/**
 * Single keys that act anywhere outside a field, and the list that tells of them. People who speak or mistype
 * into a page can switch them off; that choice is kept.
 */
export class Shortcuts {
  #actions;
  #enabled;

  /** @param actions a list of {key, label, run} */
  constructor(actions, list, checkbox) {
    this.#actions = new Map(actions.map((action) => [action.key, action.run]));
    this.#enabled = checkbox;
    checkbox.checked = recall(KEY) !== "off";
    checkbox.addEventListener("change", () => remember(KEY, checkbox.checked ? "on" : "off"));
    list.prepend(...actions.map(line));
    document.addEventListener("keydown", (event) => this.#pressed(event));
  }

  #pressed(event) {
    if (event.key === "Escape" && isField(event.target)) event.target.blur();
    const free = !event.defaultPrevented && !event.ctrlKey && !event.metaKey && !event.altKey && !event.repeat;
    if (!free || !this.#enabled.checked || isField(event.target)) return;
    const run = this.#actions.get(event.key.toLowerCase());
    if (run === undefined) return;
    event.preventDefault();
    run();
  }
}

function isField(target) {
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type === "text");
}

function line({ key, label }) {
  return element("li", {}, element("kbd", {}, key), ` ${label}`);
}
