// Adapters for packages from npm: npm install bleu-score js-rouge word-error-rate, then
// node run.mjs examples/npm-packages.mjs bleu rouge wer
import { createRequire } from "node:module";

const require = createRequire(`${process.cwd()}/`);
const { bleu } = require("bleu-score");
const rouge = require("js-rouge");
const { wordErrorRate } = require("word-error-rate");
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const single = (references) => references.every((group) => group.length === 1);

export default {
  // One text with one reference; corpora are what its users make of it, the mean.
  bleu({ options, hypotheses, references }) {
    if (!single(references) || options.smoothing !== "none" || options.lowercase) return undefined;
    return mean(hypotheses.map((output, at) => bleu(references[at][0], output, options.max_order)));
  },
  rouge({ options, hypotheses, references }) {
    if (!single(references) || options.stemmer || options.measure !== "f") return undefined;
    const settings = { caseSensitive: false };
    const score = {
      rouge1: (output, reference) => rouge.n(output, reference, { ...settings, n: 1 }),
      rouge2: (output, reference) => rouge.n(output, reference, { ...settings, n: 2 }),
      rougeL: (output, reference) => rouge.l(output, reference, settings),
    }[options.type];
    return score && mean(hypotheses.map((output, at) => (output ? score(output, references[at][0]) : 0)));
  },
  wer({ options, hypotheses, references }) {
    if (options.rate !== "wer") return undefined;
    return mean(hypotheses.map((output, at) => wordErrorRate(output, references[at][0])));
  },
};
