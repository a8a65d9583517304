import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

// Rules that hold for every file of the page, checked on the text: what a strict policy would block in a browser,
// and what would lose bits or let a value become markup.
const folder = fileURLToPath(new URL("../../main/resources/dev/idgen/console/", import.meta.url));
const files = Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(folder + name, "utf8")]));
const scripts = Object.entries(files).filter(([name]) => name.endsWith(".js"));

test("scripts_all_writeValuesAsTextOnly", () => {
  assert.ok(scripts.length > 10);
  const markup = /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment|\beval\b|new Function|\.style\b/;
  for (const [name, text] of scripts) assert.doesNotMatch(text, markup, name);
});

test("scripts_all_keepIdsOutOfFloatingPoint", () => {
  for (const name of ["bits.js", "layout.js", "refused.js", "pack-form.js", "bits-view.js"]) {
    assert.doesNotMatch(files[name], /parseInt|parseFloat|\bNumber\(|Math\./, name);
  }
});

test("files_all_stayOnTheServer", () => {
  for (const [name, text] of Object.entries(files)) {
    const addresses = text.replaceAll("http://www.w3.org/2000/svg", "").match(/https?:|\bwss?:|\/\/[a-z0-9-]+\.[a-z]|@import|url\(/gi);
    assert.equal(addresses, null, name);
  }
});

test("indexHtml_strictPolicy_hasNothingInline", () => {
  const html = files["index.html"];
  assert.doesNotMatch(html, /<style|\sstyle=|\son[a-z]+=|javascript:/i);
  for (const script of html.match(/<script[^>]*>[^<]*/g)) assert.match(script, /^<script (type="module" )?src="[a-z-]+\.js">$/);
});

test("indexHtml_everyAddress_isAFileHere", () => {
  const wanted = [...files["index.html"].matchAll(/(?:src|href)="([^"]+)"/g)].map(([, name]) => name);
  const imported = scripts.flatMap(([, text]) => [...text.matchAll(/from "\.\/([^"]+)"/g)].map(([, name]) => name));
  for (const name of [...wanted, ...imported]) assert.ok(name in files, name);
});

test("indexHtml_everyElementAskedFor_isThere", () => {
  const asked = [...files["main.js"].matchAll(/byId\("([^"]+)"\)/g)].map(([, id]) => id);
  assert.ok(asked.length > 20);
  for (const id of asked) assert.ok(files["index.html"].includes(`id="${id}"`), id);
});

const colours = Object.fromEntries(
  [...files["console.css"].matchAll(/--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)].map(([, name, ...pair]) => [name, pair]),
);

function luminance(hex) {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(first, second) {
  const [low, high] = [luminance(first), luminance(second)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

const kinds = ["time", "machine", "region", "sequence", "plain"];
const texts = [
  ["ink", "ground"], ["ink", "card"], ["ink", "raised"], ["ink", "chosen"], ["muted", "ground"], ["muted", "card"], ["muted", "raised"], ["muted", "chosen"],
  ["accent", "card"], ["accent", "ground"], ["accent", "raised"], ["accent", "chosen"], ["on-accent", "accent"], ["bad", "bad-ground"], ["bad", "card"],
  ["ink", "bad-ground"], ["muted", "bad-ground"], ["sequence-ink", "card"],
  ...kinds.flatMap((kind) => [[`on-${kind}`, kind], [`${kind}-ink`, `${kind}-tint`]]),
];

// WCAG 2.2: 4.5 for text (1.4.3), 3 for the edge of a field and the focus ring (1.4.11).
for (const [front, back] of texts) {
  test(`colours_${front}On${back}_canBeRead`, () => {
    for (const theme of [0, 1]) assert.ok(contrast(colours[front][theme], colours[back][theme]) >= 4.5, String(theme));
  });
}

test("colours_edges_canBeSeen", () => {
  for (const [front, back] of [["edge", "card"], ["edge", "ground"], ["accent", "ground"], ["bad", "card"]]) {
    for (const theme of [0, 1]) assert.ok(contrast(colours[front][theme], colours[back][theme]) >= 3, `${front} ${theme}`);
  }
});
