// Which n-grams of a text are matched, as BLEU clips them; and where two texts differ.

// Tokens as numbers, so that no joined text stands for an n-gram.
function numbered(texts) {
  const known = new Map();
  return texts.map((text) =>
    text.tokens.map((token) => {
      if (!known.has(token.key)) known.set(token.key, known.size);
      return known.get(token.key);
    }),
  );
}

const gramAt = (ids, start, order) => ids.slice(start, start + order).join(" ");

function gramCounts(ids, order) {
  const counts = new Map();
  for (let start = 0; start + order <= ids.length; start++) {
    const gram = gramAt(ids, start, order);
    counts.set(gram, (counts.get(gram) || 0) + 1);
  }
  return counts;
}

// The most times that any one of the others holds each n-gram.
function limits(others, order) {
  const most = new Map();
  for (const ids of others) {
    for (const [gram, count] of gramCounts(ids, order)) most.set(gram, Math.max(most.get(gram) || 0, count));
  }
  return most;
}

// For each order the starts of the matched n-grams. Of equal n-grams those inside a longer match come first.
function matched(ids, others, orders) {
  const starts = Array.from({ length: orders + 2 }, () => new Set());
  for (let order = orders; order >= 1; order--) {
    const left = limits(others, order);
    const longer = starts[order + 1];
    const inside = [];
    const outside = [];
    for (let start = 0; start + order <= ids.length; start++) {
      (longer.has(start) || longer.has(start - 1) ? inside : outside).push(start);
    }
    for (const start of inside.concat(outside)) {
      const gram = gramAt(ids, start, order);
      const free = left.get(gram) || 0;
      if (free > 0) {
        left.set(gram, free - 1);
        starts[order].add(start);
      }
    }
  }
  return starts;
}

// For each token the length of the longest match it is part of, and the same for the gap behind it.
function depths(starts, size) {
  const token = new Array(size).fill(0);
  const gap = new Array(size).fill(0);
  starts.forEach((set, order) => {
    for (const start of set) {
      for (let index = start; index < start + order; index++) {
        token[index] = Math.max(token[index], order);
        if (index + 1 < start + order) gap[index] = Math.max(gap[index], order);
      }
    }
  });
  return { token, gap };
}

// Matched and all n-grams by order: the numbers that the score is made of.
function countsOf(starts, size, orders) {
  const counts = [];
  for (let order = 1; order <= orders; order++) counts.push([starts[order].size, Math.max(size - order + 1, 0)]);
  return counts;
}

// The clipped matches of one segment of one system, as the score counts them.
function segmentCounts(data, index, system) {
  const { orders, lowercase } = data.marking;
  const [, references, outputs] = data.texts[index];
  const texts = [outputs[system], ...references].map((entry) => tokensOf(entry, lowercase));
  const [ids, ...others] = numbered(texts);
  return countsOf(matched(ids, others, orders), ids.length, orders);
}

// The tokens of either list that are not part of their longest common subsequence.
function differing(first, second) {
  const marks = [first.map(() => true), second.map(() => true)];
  const wide = second.length + 1;
  if (first.length * wide > 4e6) return [first.map(() => false), second.map(() => false)];
  const best = new Uint32Array((first.length + 1) * wide);
  for (let i = first.length - 1; i >= 0; i--) {
    for (let j = second.length - 1; j >= 0; j--) {
      best[i * wide + j] =
        first[i] === second[j]
          ? best[(i + 1) * wide + j + 1] + 1
          : Math.max(best[(i + 1) * wide + j], best[i * wide + j + 1]);
    }
  }
  let i = 0;
  let j = 0;
  while (i < first.length && j < second.length) {
    if (first[i] === second[j]) {
      marks[0][i++] = false;
      marks[1][j++] = false;
    } else if (best[(i + 1) * wide + j] >= best[i * wide + j + 1]) i++;
    else j++;
  }
  return marks;
}
