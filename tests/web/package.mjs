// What an import gets besides scores: comparisons, tokens, errors in words.
import assert from "node:assert/strict";
import { BleuprintError, bleu, compare, selfBleu, tokenize } from "../../web/npm/index.mjs";

const wanted = Array.from({ length: 40 }, (_, place) => `the cat number ${place} sat on the mat`);
const good = wanted.map((text, place) => (place % 4 ? text : text.replace("the mat", "a mat")));
const bad = wanted.map((text, place) => (place % 2 ? "a dog lay here" : text.replace("cat", "dog")));
const { systems, pairs } = compare("bleu", { good, bad }, wanted, { seed: 1 });
assert.ok(systems.good.low < systems.good.value && systems.good.value < systems.good.high);
assert.equal(pairs[0].first, "good");
assert.ok(pairs[0].pValue < 0.01 && pairs[0].difference.low > 0);
assert.equal(bleu(["a b c d"], [["x", "a b c d"]]).score, 1);
assert.ok(bleu(["a"], ["a"]).signature.startsWith("bleu.1|absent_order:undefined|"));
assert.deepEqual(tokenize("Hello, world!"), ["Hello", ",", "world", "!"]);
assert.equal(selfBleu(["a b c d e f", "a b c d e f"]).score, 1);
const refusals = [
  [() => bleu(["a"], ["a", "b"]), /as many segments, got 1 and 2/],
  [() => bleu(["a"], ["a"], { tokenizer: "14a" }), /tokenizer must be one of 13a/],
  [() => bleu(["\ud800"], ["a"]), /segment 1 holds half of a character/],
  [() => bleu([], []), /there are no segments/],
  [() => bleu("a", ["a"]), /outputs must be a list/],
  [() => bleu(["a"], [[]]), /segment 1 must have at least one text/],
  [() => selfBleu(["a"]), /at least 2 texts/],
  [() => tokenize("a", "none\0"), /NUL/],
];
for (const [call, words] of refusals) assert.throws(call, (error) => error instanceof BleuprintError && words.test(error.message), String(words));
for (let round = 0; round < 3000; round++) bleu(good, wanted); // what a call makes is freed again
console.log("all passed");
