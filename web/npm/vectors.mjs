// The package for vectors/run.mjs: node vectors/run.mjs web/npm/vectors.mjs
import * as bleuprint from "./index.mjs";

const smoothing = ({ smoothing: method, smoothing_value: value }) => (value === null ? method : `${method}(${value})`);
const bleuOptions = (options) => ({ tokenizer: options.tokenizer, lowercase: options.lowercase, maxOrder: options.max_order, effectiveOrder: options.effective_order, smoothing: smoothing(options) });

export default {
  bleu: ({ hypotheses, references, options }) => bleuprint.bleu(hypotheses, references, bleuOptions(options)).score,
  "sentence-bleu": ({ hypotheses, references, options }) => bleuprint.bleu(hypotheses, references, bleuOptions(options)).segments,
  tokenizers: ({ hypotheses, options }) => hypotheses.map((text) => bleuprint.tokenize(text, options.tokenizer, { lowercase: options.lowercase })),
  chrf: ({ hypotheses, references, options: { char_order: charOrder, word_order: wordOrder, beta, lowercase, whitespace } }) => bleuprint.chrf(hypotheses, references, { charOrder, wordOrder, beta, lowercase, whitespace }).score,
  ter: ({ hypotheses, references, options: { normalized, no_punct: noPunct, lowercase } }) => bleuprint.ter(hypotheses, references, { tokenizer: `tercom${normalized ? "-normalized" : ""}${noPunct ? "-no-punct" : ""}`, lowercase }).score,
  rouge: ({ hypotheses, references, options: { type, measure, stemmer } }) => bleuprint.rouge(hypotheses, references, { types: type, stemmer }).values[measure === "f" ? type : `${type}_${measure}`],
  wer: ({ hypotheses, references, options: { rate } }) => bleuprint[rate](hypotheses, references).score,
  "self-bleu": ({ hypotheses, options }) => bleuprint.selfBleu(hypotheses, { tokenizer: "whitespace", maxOrder: options.max_order, smoothing: `floor(${options.smoothing_value})` }).score,
};
