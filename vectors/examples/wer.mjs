// Word and character error rates in plain JavaScript: node run.mjs examples/wer.mjs wer
const items = { wer: (text) => text.split(/\s+/u).filter(Boolean), cer: (text) => [...text.trim()] };

function edits(reference, output) {
  let row = output.map((_, at) => at + 1);
  row.unshift(0);
  for (const [i, item] of reference.entries()) {
    const next = [i + 1];
    for (const [j, other] of output.entries())
      next.push(Math.min(row[j + 1] + 1, next[j] + 1, row[j] + (item === other ? 0 : 1)));
    row = next;
  }
  return row.at(-1);
}

export default {
  wer({ options, hypotheses, references }) {
    const split = items[options.rate];
    if (!split) return undefined; // not supported
    let wrong = 0, length = 0;
    hypotheses.forEach((hypothesis, at) => {
      const reference = split(references[at][0]);
      wrong += edits(reference, split(hypothesis));
      length += reference.length;
    });
    return length ? wrong / length : wrong;
  },
};
