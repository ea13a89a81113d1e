// BLEU, chrF, TER, ROUGE, WER and its relatives, and Self-BLEU as bleuprint computes them, in Node and in browsers.

import createModule from "./module.cjs";
import { BleuprintError, Core } from "./core.mjs";

export { BleuprintError, Core };

async function moduleBytes() {
  const address = new URL("./bleuprint.wasm", import.meta.url);
  if (address.protocol !== "file:") return new Uint8Array(await (await fetch(address)).arrayBuffer());
  const { readFile } = await import("node:fs/promises");
  return readFile(address);
}

// One module for all calls: what they make in its memory is freed again.
const core = new Core(await createModule({ wasmBinary: await moduleBytes(), print: () => {}, printErr: () => {} }));

const OPTION = { maxOrder: "max_order", effectiveOrder: "effective_order", charOrder: "char_order", wordOrder: "word_order", epsSmoothing: "eps_smoothing", referenceLength: "reference_length", absentOrder: "absent_order", zeroWhen: "zero_when", zeroPrecision: "zero_precision" };

const written = (value) => (value === true ? "yes" : value === false ? "no" : Array.isArray(value) ? value.join("+") : String(value));

function describe(name, options) {
  const fields = Object.entries(options).filter(([, value]) => value !== undefined);
  return [name, ...fields.map(([option, value]) => `${OPTION[option] ?? option}:${written(value)}`)].join("|");
}

const checked = (texts, name) => {
  if (!Array.isArray(texts)) throw new BleuprintError(`${name} must be a list with one entry for each segment`, 1);
  return texts;
};

function use(made, work) {
  try {
    return work(...made);
  } finally {
    for (const each of made) each?.free();
  }
}

function count(name, outputs, references, options, work) {
  return use([core.metric(describe(name, options))], (metric) =>
    use([core.column(checked(outputs, "outputs")), references === null ? null : core.column(checked(references, "references"))], (own, others) =>
      use([core.count(metric, own, others)], (rows) => work(rows, metric)),
    ),
  );
}

const found = (name, outputs, references, options) =>
  count(name, outputs, references, options, (rows, metric) => {
    const values = rows.values();
    const [score] = Object.values(values);
    return { score, values, segments: rows.segmentScores(), signature: metric.signature };
  });

const metric = (name) => (outputs, references, options = {}) => found(name, outputs, references, options);

export const bleu = metric("bleu");
export const chrf = metric("chrf");
export const ter = metric("ter");
export const rouge = metric("rouge");
export const wer = metric("wer");
export const mer = metric("mer");
export const wil = metric("wil");
export const wip = metric("wip");
export const cer = metric("cer");
export const selfBleu = (texts, options = {}) => found("self-bleu", texts, null, options);

export const tokenize = (text, tokenizer = "13a", { lowercase = false } = {}) => core.tokenize(tokenizer, lowercase, text).map(({ token }) => token);

// Whether systems differ on the same references: intervals of all, and the paired test of each two of them.
export function compare(name, systems, references, { alpha, resamples, swaps, seed, ...options } = {}) {
  const names = Object.keys(systems);
  const settings = Object.fromEntries(Object.entries({ alpha, resamples, swaps, seed }).filter(([, value]) => value !== undefined));
  return use([core.metric(describe(name, options)), core.column(checked(references, "references"))], (used, others) => {
    const made = [];
    try {
      for (const outputs of Object.values(systems)) use([core.column(checked(outputs, "outputs"))], (own) => made.push(core.count(used, own, others)));
      const { intervals, pairs } = core.compare(made, settings);
      return {
        systems: Object.fromEntries(names.map((system, place) => [system, intervals[place]])),
        pairs: pairs.map((pair) => ({ ...pair, first: names[pair.first], second: names[pair.second] })),
      };
    } finally {
      for (const rows of made) rows.free();
    }
  });
}
