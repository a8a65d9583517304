// Runs every *.test.js beside it and fails when there is none, so that a moved folder is no green build.
import { readdirSync } from "node:fs";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL(".", import.meta.url));
const files = readdirSync(folder).filter((name) => name.endsWith(".test.js")).map((name) => folder + name);
if (files.length === 0) throw new Error(`tests: none in ${folder} (expected: *.test.js)`);

let passed = 0;
run({ files, concurrency: 1 })
  .on("test:pass", () => passed++)
  .on("test:fail", () => { process.exitCode = 1; })
  .on("end", () => { if (passed === 0) process.exitCode = 1; })
  .compose(new spec())
  .pipe(process.stdout);
