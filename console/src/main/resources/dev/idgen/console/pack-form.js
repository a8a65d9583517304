import { numberOf, pack, ticksOf, unpack } from "./bits.js";
import { element } from "./dom.js";
import { cautions, field, machineMaximum, maximum, otherFields } from "./layout.js";
import { parseUnsigned } from "./refused.js";
import { formatTime, parseTime } from "./time.js";

const NO_ID = "–";

/** Time, machine and sequence typed; the id they make, at every keystroke, or each field's own refusal. */
export class PackForm {
  #layout = null;
  #entries = [];
  #fields;
  #output;
  #cautions;
  #buttons;

  constructor({ fields, output, cautions, buttons }) {
    this.#fields = fields;
    this.#output = output;
    this.#cautions = cautions;
    this.#buttons = buttons;
  }

  /** Builds the fields that this layout has; until then there is nothing to pack by. */
  set layout(layout) {
    this.#layout = layout;
    this.#entries = entriesOf(layout);
    this.#fields.replaceChildren(...this.#entries.map((entry) => entry.root));
    this.#cautions.replaceChildren(...cautions(layout).map((said) => element("li", {}, said)));
    for (const entry of this.#entries) entry.input.addEventListener("input", () => this.#compute());
    this.now();
  }

  /** The packed id, or null while a field is refused. */
  get id() {
    return this.#output.value === NO_ID ? null : this.#output.value;
  }

  focus() {
    this.#entries[0]?.input.focus();
    this.#entries[0]?.input.select();
  }

  /** Fills in the present time, cut to the range of the layout by nothing: a clock that is wrong is seen. */
  now() {
    if (this.#entries.length === 0) return;
    this.#entries[0].input.value = formatTime(BigInt(Date.now()));
    this.#compute();
  }

  /** Fills in the parts of an id, so that it can be changed a little; ids without bits have none. */
  fill(text) {
    const id = numberOf(text);
    if (id === null || this.#layout === null) return;
    const parts = unpack(this.#layout, id);
    const values = { time: formatTime(parts.millis), machine: parts.machine, sequence: parts.sequence };
    for (const { name, input } of this.#entries) input.value = String(values[name] ?? parts.others.get(name));
    this.#compute();
  }

  #compute() {
    const values = new Map(this.#entries.map((entry) => [entry.name, read(entry)]));
    const refused = [...values.values()].includes(null);
    this.#output.value = refused ? NO_ID : String(packed(this.#layout, values));
    for (const button of this.#buttons) button.disabled = refused;
  }
}

function packed(layout, values) {
  return pack(layout, {
    millis: values.get("time"),
    machine: values.get("machine"),
    sequence: values.get("sequence"),
    others: values,
  });
}

/** The value in the field, or null where it is refused; the refusal stands under it. */
function read({ input, error, parse }) {
  try {
    const value = parse(input.value);
    say(input, error, "");
    return value;
  } catch (refused) {
    say(input, error, refused.message);
    return null;
  }
}

function say(input, error, text) {
  if (error.textContent !== text) error.textContent = text;
  input.setAttribute("aria-invalid", String(text !== ""));
}

function entriesOf(layout) {
  const time = (text) => {
    const millis = parseTime("time", text);
    ticksOf(layout, millis);
    return millis;
  };
  return [
    entry("time", "Time (UTC)", "", "", time),
    whole("machine", "Machine", machineMaximum(layout)),
    whole("sequence", "Sequence", maximum(field(layout, "sequence"))),
    ...otherFields(layout).map((other) => whole(other.name, titled(other.name), maximum(other))),
  ];
}

function whole(name, label, most) {
  return entry(name, label, `0..${most}`, "0", (text) => parseUnsigned(name, text, most));
}

function titled(name) {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function entry(name, label, hint, value, parse) {
  const id = `pack-${name}`;
  const input = element("input", {
    id, type: "text", value, autocomplete: "off", spellcheck: "false",
    inputmode: name === "time" ? "text" : "numeric", "aria-describedby": `${id}-error`,
  });
  const error = element("p", { id: `${id}-error`, class: "error", "aria-live": "polite" });
  const caption = element("label", { for: id }, element("span", {}, label), hint ? element("span", { class: "hint" }, hint) : null);
  return { name, input, error, parse, root: element("div", { class: `entry ${name === "time" ? "wide" : ""}` }, caption, input, error) };
}
