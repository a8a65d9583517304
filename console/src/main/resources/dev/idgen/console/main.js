import { decode, fetchLayout, generate } from "./api.js";
import { disagreement, numberOf } from "./bits.js";
import { BitsView } from "./bits-view.js";
import { copy } from "./clipboard.js";
import { byId } from "./dom.js";
import { Shortcuts } from "./keyboard.js";
import { lastMillis, parseLayout } from "./layout.js";
import { Notice } from "./notice.js";
import { PackForm } from "./pack-form.js";
import { ReadingsView } from "./readings-view.js";
import { IdTable } from "./table.js";
import { formatTime } from "./time.js";

// The page's wiring: what a press does, told to the views. Each view knows its own part of the page only.

const status = byId("status");
const notice = new Notice(byId("notice"));
const bits = new BitsView({ strip: byId("bits"), fields: byId("fields") });
const readings = new ReadingsView(byId("readings"));
const packing = new PackForm({
  fields: byId("pack-fields"),
  output: byId("packed"),
  cautions: byId("cautions"),
  buttons: [byId("pack-copy"), byId("pack-decode")],
});
const table = new IdTable({
  body: byId("rows"),
  empty: byId("empty"),
  count: byId("count"),
  onChoose: show,
  onCopy: (text, button) => copy(text, status, button),
});
let layout = null;

function show(row) {
  const isNumber = numberOf(row.id) !== null;
  byId("chosen").textContent = row.id;
  byId("kind").textContent = row.kind ?? "";
  byId("chosen-copy").hidden = false;
  byId("no-bits").hidden = isNumber;
  byId("strip").hidden = !isNumber;
  byId("chosen-pack").hidden = !isNumber;
  bits.show(row.id);
  readings.show(row.readings);
  byId("copy-all").hidden = false;
  warn(row);
}

function warn(row) {
  const parted = layout === null ? null : disagreement(layout, row);
  byId("parted").hidden = parted === null;
  byId("parted").textContent = parted === null ? "" : `The server reads this id otherwise: ${parted}. Reload the page.`;
}

/** Runs one question to the server: its button rests meanwhile, and a refusal is shown in its own words. */
async function ask(button, question) {
  if (button.disabled) return;
  const focused = document.activeElement === button;
  button.disabled = true;
  try {
    await question();
    notice.clear();
  } catch (error) {
    notice.show(error);
  } finally {
    button.disabled = false;
    if (focused) button.focus();
  }
}

async function learnLayout() {
  layout = parseLayout(await fetchLayout());
  bits.layout = layout;
  bits.show(table.chosen?.id ?? null);
  packing.layout = layout;
  byId("layout-name").textContent = layout.name;
  byId("layout-tick").textContent = `${layout.tickMillis} ms`;
  byId("layout-epoch").textContent = formatTime(layout.epochMillis);
  byId("layout-end").textContent = formatTime(lastMillis(layout));
  byId("layout").hidden = false;
}

/** The layout may be unknown because the server was away when the page came; or old, because it was started anew. */
async function relearnLayout(row) {
  if (layout === null || (row && disagreement(layout, row) !== null)) await learnLayout();
}

function generateMore() {
  return ask(byId("generate"), async () => {
    const rows = await generate();
    await relearnLayout(rows.at(-1)).finally(() => table.add(rows));
    status.textContent = `${rows.length} ids made`;
  });
}

function decodeText(text) {
  return ask(byId("decode"), async () => {
    const row = await decode(text);
    await relearnLayout(row).finally(() => table.addOrFind(row));
    status.textContent = `${row.id} decoded`;
  });
}

function focusDecode() {
  byId("decode-text").focus();
  byId("decode-text").select();
}

function copyChosen(button = null) {
  if (table.chosen !== null) copy(table.chosen.id, status, button);
}

function packChosen() {
  packing.fill(table.chosen.id);
  packing.focus();
}

function decodePacked() {
  byId("decode-text").value = packing.id;
  decodeText(packing.id);
}

byId("generate").addEventListener("click", generateMore);
byId("decode-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const input = byId("decode-text");
  input.value = input.value.trim();
  decodeText(input.value);
});
byId("pack-form").addEventListener("submit", (event) => event.preventDefault());
byId("pack-now").addEventListener("click", () => packing.now());
byId("pack-copy").addEventListener("click", () => copy(packing.id, status, byId("pack-copy")));
byId("pack-decode").addEventListener("click", decodePacked);
byId("chosen-copy").addEventListener("click", () => copyChosen(byId("chosen-copy")));
byId("chosen-pack").addEventListener("click", packChosen);
byId("copy-all").addEventListener("click", () => copy(table.text, status, byId("copy-all")));

new Shortcuts(
  [
    { key: "g", label: "generate", run: generateMore },
    { key: "/", label: "decode", run: focusDecode },
    { key: "p", label: "pack", run: () => packing.focus() },
    { key: "c", label: "copy the chosen id", run: () => copyChosen() },
    { key: "t", label: "dark or light", run: () => byId("theme").click() },
  ],
  byId("shortcuts"),
  byId("shortcuts-on"),
);

bits.show(null);
learnLayout().catch((error) => notice.show(error));
