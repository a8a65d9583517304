import { element } from "./dom.js";
import { Problem } from "./api.js";

/** The one place where a refusal is shown. Its element is an alert, so screen readers hear it at once. */
export class Notice {
  #root;

  constructor(root) {
    this.#root = root;
  }

  clear() {
    this.#root.replaceChildren();
    this.#root.hidden = true;
  }

  /** Shows an error in its own words; the server's with the reason and trace that its log will know. */
  show(error) {
    const known = error instanceof Problem;
    const title = known ? error.title : error.message;
    this.#root.replaceChildren(element("strong", {}, title));
    if (known && error.detail) this.#root.append(element("span", { class: "detail" }, error.detail));
    if (known) this.#root.append(...marks(error));
    this.#root.hidden = false;
  }
}

function marks({ reason, retryAfter, traceId }) {
  const said = [reason, retryAfter && `try again in ${retryAfter} s`, traceId && `trace ${traceId}`];
  return said.filter(Boolean).map((mark) => element("code", {}, mark));
}
