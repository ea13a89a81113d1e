// Why the score of a segment is what it is, in a few sentences that can be checked by eye.

const SHORTER = 0.8;
const LONGER = 1.25;

function remarksOf(data, index, system) {
  const [source, references, outputs] = data.texts[index];
  const { lowercase, orders } = data.marking;
  const output = tokensOf(outputs[system], lowercase);
  const others = references.map((entry) => tokensOf(entry, lowercase));
  const keys = output.tokens.map((token) => token.key);
  const made = element("ul", "remarks");
  for (const text of reasons({
    text: textOf(outputs[system]).trim(),
    source: source?.trim(),
    references: references.map((entry) => textOf(entry).trim()),
    keys,
    known: others.map((other) => other.tokens.map((token) => token.key)),
    counts: segmentCounts(data, index, system),
    orders,
  })) made.append(element("li", "", text));
  made.hidden = made.childElementCount === 0;
  return made;
}

function* reasons({ text, source, references, keys, known, counts, orders }) {
  if (!text) return yield "The output is empty.";
  if (references.includes(text)) return yield "The output equals a reference.";
  if (source && text === source) yield "The output equals the source.";
  if (!references.length) return;
  const size = keys.length;
  const matched = counts[0]?.[0] ?? 0;
  if (!matched) yield "None of its tokens is in a reference.";
  else {
    const longest = counts.findLastIndex(([match]) => match > 0) + 1;
    if (longest < Math.min(orders, size)) yield `No match is longer than ${longest === 1 ? "one token" : `${longest} tokens`}.`;
    if (size > 3 && matched / size >= 0.8 && orders > 1 && counts[1][0] / counts[1][1] <= 0.5) yield "Most of the words are there, in another order.";
  }
  const closest = known.map((tokens) => tokens.length).sort((a, b) => Math.abs(a - size) - Math.abs(b - size) || a - b)[0];
  if (closest && size / closest < SHORTER) yield `It is short: ${size} tokens, the closest reference has ${closest}.`;
  if (closest && size / closest > LONGER) yield `It is long: ${size} tokens, the closest reference has ${closest}.`;
  const digitsOf = (words) => words.filter((word) => /^[\p{N}.,:]*\p{N}$/u.test(word));
  const numbersThere = new Set(known.flatMap(digitsOf));
  const wrong = [...new Set(digitsOf(keys).filter((word) => !numbersThere.has(word)))];
  if (wrong.length) yield `${wrong.length === 1 ? "A number is" : "Numbers are"} in no reference: ${wrong.slice(0, 3).join(", ")}.`;
  const exact = new Set(known.flat());
  const folded = new Set(known.flat().map((word) => word.toLowerCase()));
  const cased = keys.filter((word) => !exact.has(word) && folded.has(word.toLowerCase())).length;
  if (cased) yield `${cased === 1 ? "One word differs" : `${cased} words differ`} in upper and lower case only.`;
  const again = repeated(keys);
  if (again) yield `It says “${again[0]}” ${again[1]} times.`;
}

// Three tokens in a row that come at least three times, as in an output that goes in circles.
function repeated(keys) {
  const times = new Map();
  for (let at = 0; at + 3 <= keys.length; at++) {
    const words = keys.slice(at, at + 3).join(" ");
    times.set(words, (times.get(words) ?? 0) + 1);
  }
  return [...times].filter(([, count]) => count >= 3).sort((a, b) => b[1] - a[1])[0];
}
