import { parseLayout } from "../../main/resources/dev/idgen/console/layout.js";

const EPOCH = "1704067200000";

function answer(name, tickMillis, ...fields) {
  return { name, tickMillis, epochMillis: EPOCH, fields: fields.map(([name, bits, shift]) => ({ name, bits, shift })) };
}

/** Layouts as a server tells them. */
export const answers = {
  plain: answer("41/10/12", 1, ["sign", 1, 63], ["time", 41, 22], ["worker", 10, 12], ["sequence", 12, 0]),
  split: answer("41/5+5/12", 1, ["sign", 1, 63], ["time", 41, 22], ["region", 5, 17], ["worker", 5, 12], ["sequence", 12, 0]),
  safe: answer("41/3/9", 1, ["sign", 11, 53], ["time", 41, 12], ["worker", 3, 9], ["sequence", 9, 0]),
  gap: answer("gap", 1, ["sign", 1, 63], ["time", 41, 12], ["worker", 3, 9], ["sequence", 9, 0]),
  workerFirst: answer("10/41/12", 1, ["sign", 1, 63], ["worker", 10, 53], ["time", 41, 12], ["sequence", 12, 0]),
  machineLast: answer("39/8/16", 10, ["sign", 1, 63], ["time", 39, 24], ["sequence", 8, 16], ["worker", 16, 0]),
  versioned: answer("2+39/10/12", 1, ["sign", 1, 63], ["version", 2, 61], ["time", 39, 22], ["worker", 10, 12], ["sequence", 12, 0]),
};

export const layouts = Object.fromEntries(Object.entries(answers).map(([name, each]) => [name, parseLayout(each)]));
