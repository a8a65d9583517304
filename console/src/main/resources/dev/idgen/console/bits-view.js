import { bitsOf, numberOf, unpack, valueOf } from "./bits.js";
import { element } from "./dom.js";
import { ID_BITS, colourOf, field, fieldOfBit, lastMillis, maximum } from "./layout.js";
import { formatTime } from "./time.js";

const BYTE = 8;
const ALWAYS_ZERO = ["sign", "unused"];
const NO_DIGIT = "·";

/** Shows all 64 bits of one id in the colours of the layout's fields, and each field's value below. */
export class BitsView {
  #layout = null;
  #cells = [];
  #strip;
  #fields;

  constructor({ strip, fields }) {
    this.#strip = strip;
    this.#fields = fields;
    this.#draw();
  }

  /** Colours by that layout from now on. */
  set layout(layout) {
    this.#layout = layout;
    this.#cells.forEach((cell, at) => this.#colour(cell, ID_BITS - 1 - at));
  }

  /** Shows the bits of an id's text; without one, or for a text that is no 64-bit number, the empty layout. */
  show(text) {
    const id = text === null ? null : numberOf(text);
    const bits = id === null ? null : bitsOf(id);
    this.#cells.forEach((cell, at) => this.#set(cell, bits?.[at] ?? null));
    this.#strip.setAttribute("aria-label", bits === null ? "64 bits, none set" : `64 bits: ${bits}`);
    this.#fields.replaceChildren(...(this.#layout?.fields ?? []).map((each) => this.#line(each, id)));
  }

  #draw() {
    for (let byte = 0; byte < ID_BITS / BYTE; byte++) {
      const cells = Array.from({ length: BYTE }, () => element("span", { class: "bit" }));
      this.#cells.push(...cells);
      const first = element("span", { class: "at" }, String(ID_BITS - 1 - byte * BYTE));
      this.#strip.append(element("span", { class: "byte" }, first, ...cells));
    }
  }

  #colour(cell, bit) {
    const owner = fieldOfBit(this.#layout, bit);
    cell.dataset.bit = String(bit);
    cell.dataset.field = owner.name;
    cell.dataset.colour = colourOf(owner);
    cell.title = `bit ${bit}, ${owner.name}`;
  }

  #set(cell, digit) {
    cell.textContent = digit ?? NO_DIGIT;
    cell.dataset.digit = digit ?? "none";
  }

  #line(each, id) {
    const value = id === null ? null : valueOf(each, id);
    const swatch = element("span", { class: "swatch", "data-colour": colourOf(each) });
    return element(
      "tr",
      { "data-field": each.name },
      element("th", { scope: "row" }, swatch, each.name),
      element("td", { class: "place" }, place(each)),
      element("td", { class: "binary" }, value === null ? NO_DIGIT.repeat(each.bits) : value.toString(2).padStart(each.bits, "0")),
      element("td", { class: "value" }, value === null ? range(each) : String(value)),
      element("td", { class: "means" }, this.#meaning(each, id)),
    );
  }

  #meaning(each, id) {
    if (each.name === "sign") return id !== null && valueOf(each, id) !== 0n ? "set: no id of this cluster" : "always 0";
    if (each.name === "unused") return "always 0";
    if (each.name === "time") return id === null ? this.#span() : formatTime(unpack(this.#layout, id).millis);
    const split = each.name === "worker" && field(this.#layout, "region") !== undefined;
    if (each.name === "sequence") return id === null ? `${maximum(each) + 1n} ids in a tick` : "";
    if (!split) return each.name === "worker" ? "the machine" : "";
    return id === null ? "with the region: the machine" : `machine ${unpack(this.#layout, id).machine}`;
  }

  #span() {
    return `${formatTime(this.#layout.epochMillis)} to ${formatTime(lastMillis(this.#layout))}`;
  }
}

function range(each) {
  return ALWAYS_ZERO.includes(each.name) ? "0" : `0..${maximum(each)}`;
}

function place({ bits, shift }) {
  return bits === 1 ? `${shift}` : `${shift + bits - 1}–${shift}`;
}
