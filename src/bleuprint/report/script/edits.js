// The edits between an output and its reference, under each other. The page counts them again and shows them only where
// the rate that follows is the stored score, so that no other alignment passes for the metric's own.

const LONGEST_MOVE = 10;
const FARTHEST_MOVE = 50;
const MOST_CANDIDATES = 1000;
const BEAM = 25;

// Distances between all beginnings, infinite outside the beam around the diagonal.
function editMatrix(output, reference) {
  const matrix = [Array.from({ length: reference.length + 1 }, (_, column) => column)];
  const slope = reference.length / Math.max(1, output.length);
  const width = slope / 2 <= BEAM ? BEAM : Math.ceil(slope / 2 + BEAM);
  for (let row = 1; row <= output.length; row++) {
    const above = matrix[row - 1];
    const cells = new Array(reference.length + 1).fill(Infinity);
    const middle = Math.floor(row * slope);
    const last = row === output.length ? reference.length : Math.min(reference.length, middle + width - 1);
    for (let column = Math.max(0, middle - width); column <= last; column++) {
      cells[column] = above[column] + 1;
      if (column) {
        const across = above[column - 1] + (output[row - 1] !== reference[column - 1]);
        cells[column] = Math.min(across, cells[column], cells[column - 1] + 1);
      }
    }
    matrix.push(cells);
  }
  return matrix;
}

// The cheapest edits from the reference to the output, as [kind, place in the reference, place in the output].
function aligned(output, reference) {
  const matrix = editMatrix(output, reference);
  let [row, column] = [output.length, reference.length];
  const made = { distance: matrix[row][column], partner: new Array(column).fill(0), outputWrong: new Array(row).fill(false), referenceWrong: new Array(column).fill(false), pairs: [] };
  while (row || column) {
    const here = matrix[row][column];
    const differs = row && column && output[row - 1] !== reference[column - 1] ? 1 : 0;
    if (row && column && matrix[row - 1][column - 1] + differs === here) {
      row--;
      column--;
      made.outputWrong[row] = made.referenceWrong[column] = Boolean(differs);
      made.partner[column] = row;
      made.pairs.push([differs ? "substitution" : "hit", column, row]);
    } else if (row && matrix[row - 1][column] + 1 === here) {
      row--;
      made.outputWrong[row] = true;
      made.pairs.push(["insertion", null, row]);
    } else {
      column--;
      made.referenceWrong[column] = true;
      made.partner[column] = row - 1;
      made.pairs.push(["deletion", column, null]);
    }
  }
  made.pairs.reverse();
  return made;
}

// The alignment of the error rates: of all shortest ones that which takes the common beginning and end first, then
// deletions. MER, WIL and WIP depend on it, because they count the hits.
function paired(output, reference) {
  let start = 0;
  const shortest = Math.min(output.length, reference.length);
  while (start < shortest && output[start] === reference[start]) start++;
  let end = 0;
  while (end < shortest - start && output.at(-1 - end) === reference.at(-1 - end)) end++;
  const [words, wanted] = [output, reference].map((tokens) => tokens.slice(start, tokens.length - end));
  const distances = [Array.from({ length: wanted.length + 1 }, (_, column) => column)];
  words.forEach((word, row) => {
    const cells = [row + 1];
    wanted.forEach((other, column) => cells.push(Math.min(distances[row][column + 1] + 1, cells[column] + 1, distances[row][column] + (word !== other))));
    distances.push(cells);
  });
  const pairs = Array.from({ length: end }, (_, place) => ["hit", reference.length - 1 - place, output.length - 1 - place]);
  let [i, j] = [words.length, wanted.length];
  while (i || j) {
    if (j && (!i || distances[i][j] === distances[i][j - 1] + 1)) {
      j--;
      pairs.push(["deletion", start + j, null]);
    } else if (i && (!j || distances[i - 1][j] === distances[i - 1][j - 1] - 1)) {
      i--;
      pairs.push(["insertion", null, start + i]);
    } else {
      i--;
      j--;
      pairs.push([words[i] === wanted[j] ? "hit" : "substitution", start + j, start + i]);
    }
  }
  for (let place = start - 1; place >= 0; place--) pairs.push(["hit", place, place]);
  return pairs.reverse();
}

// The words with a run of them put before the target; a target inside the run counts from behind the run.
function moved(words, start, length, target) {
  const rest = [...words.slice(0, start), ...words.slice(start + length)];
  rest.splice(target > start + length ? target - length : target, 0, ...words.slice(start, start + length));
  return rest;
}

function* moves(output, reference, { partner, outputWrong, referenceWrong }) {
  for (let start = 0; start < output.length; start++) {
    for (let there = Math.max(0, start - FARTHEST_MOVE); there < Math.min(reference.length, start + FARTHEST_MOVE + 1); there++) {
      for (let length = 1; length <= LONGEST_MOVE; length++) {
        if (start + length > output.length || there + length > reference.length) break;
        if (output[start + length - 1] !== reference[there + length - 1]) break;
        const wrong = outputWrong.slice(start, start + length).some(Boolean) && referenceWrong.slice(there, there + length).some(Boolean);
        if (!wrong || (start <= partner[there] && partner[there] < start + length)) continue;
        const before = there === 0 ? -1 : partner[there - 1];
        const targets = [before, ...partner.slice(there, there + length)].map((place) => place + 1);
        for (let at = 0; at < targets.length; at++) if (at === 0 || targets[at] !== targets[at - 1]) yield [start, length, targets[at]];
      }
    }
  }
}

// tercom's greedy search: always the move that lowers the edit distance most.
function shifted(output, reference) {
  const runs = [];
  let words = output.map((word, place) => ({ word, place }));
  let tried = 0;
  for (;;) {
    const plain = words.map(({ word }) => word);
    const alignment = aligned(plain, reference);
    let best = [0, 0, 0, 0];
    let chosen = null;
    const candidates = [];
    for (const move of moves(plain, reference, alignment)) {
      if (tried + candidates.length >= MOST_CANDIDATES) break;
      candidates.push(move);
    }
    tried += candidates.length;
    if (tried < MOST_CANDIDATES) {
      for (const [start, length, target] of candidates) {
        const changed = moved(plain, start, length, target);
        const rank = [alignment.distance - editMatrix(changed, reference).at(-1).at(-1), length, -start, -target];
        const at = rank.findIndex((value, place) => value !== best[place]);
        if (at >= 0 && rank[at] > best[at]) [best, chosen] = [rank, [start, length, target]];
      }
    }
    if (best[0] <= 0) return { runs, words, pairs: alignment.pairs };
    runs.push(new Set(words.slice(chosen[0], chosen[0] + chosen[1]).map(({ place }) => place)));
    words = moved(words, ...chosen);
  }
}

const editsIn = ({ runs, pairs }) => runs.length + pairs.filter(([kind]) => kind !== "hit").length;

// How each metric reads a text, most usual first; the one whose rate is the score is the metric's.
const split = (text) => text.split(/[\s\x1c-\x1f\x85]+/).filter(Boolean);
const READERS = {
  ter: [(text) => split(text.toLowerCase()), split],
  wer: [split, (text) => split(text.toLowerCase())],
  cer: [(text) => Array.from(text), (text) => Array.from(text.toLowerCase()), (text) => Array.from(split(text).join(" "))],
};
READERS.mer = READERS.wer;
READERS.wil = READERS.wer;
READERS.wip = READERS.wer;

function rateOf(kind, { runs, pairs }, lengths) {
  const counted = (name) => pairs.filter(([found]) => found === name).length;
  const [hits, substitutions, deletions, insertions] = ["hit", "substitution", "deletion", "insertion"].map(counted);
  const edits = substitutions + deletions + insertions;
  const [inReference, inOutput] = [hits + substitutions + deletions, hits + substitutions + insertions];
  if (kind === "ter") {
    const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
    return mean ? (edits + runs.length) / mean : Number(edits > 0);
  }
  if (kind === "mer") return pairs.length ? edits / pairs.length : 0;
  const preserved = pairs.length ? (inReference ? hits / inReference : 0) * (inOutput ? hits / inOutput : 0) : 1;
  if (kind === "wil") return 1 - preserved;
  if (kind === "wip") return preserved;
  return inReference ? edits / inReference : insertions;
}

const LONGEST_ALIGNED = 400; // words of a text; the search for moves takes too long in longer ones

// The edits of a segment under a metric; null where the page cannot tell them.
function editsOf(metric, index, system) {
  const { measures, name } = data.metrics[metric];
  const score = data.scores[metric][system]?.[index];
  const [, references, outputs] = data.texts[index];
  const nearest = measures === "wip" ? Math.max : Math.min;
  for (const reader of READERS[measures] ?? []) {
    const output = reader(textOf(outputs[system]));
    const others = references.map((entry) => reader(textOf(entry)));
    if ([output, ...others].some((words) => words.length > LONGEST_ALIGNED)) continue;
    const all = others.map((words) => (measures === "ter" && words.length ? shifted(output, words) : { runs: [], words: output.map((word, place) => ({ word, place })), pairs: paired(output, words) }));
    const lengths = others.map((words) => words.length);
    const rates = all.map((edits, place) => rateOf(measures, edits, measures === "ter" ? lengths : [lengths[place]]));
    const at = measures === "ter" ? all.map(editsIn).indexOf(Math.min(...all.map(editsIn))) : rates.indexOf(nearest(...rates));
    if (Math.abs(rates[at] - score) < 0.6 / SCORE_STEPS) return { ...all[at], name, reference: others[at], at, several: others.length > 1 };
  }
  return null;
}

// Two lines of words, each pair under each other; what a move took along carries its number.
function editsTable(edits, system) {
  const box = element("div", "edits");
  box.tabIndex = 0;
  box.role = "region";
  box.ariaLabel = `edits that ${edits.name} counts in ${visible(system)}`;
  const table = element("table");
  const [above, below, kinds] = [table.insertRow(), table.insertRow(), table.insertRow()];
  const signs = { substitution: "S", deletion: "D", insertion: "I" };
  [edits.several ? `reference ${edits.at + 1}` : "reference", "output", "edits"].forEach((name, place) => {
    const head = element("th", "", name);
    head.scope = "row";
    table.rows[place].append(head);
  });
  for (const [kind, there, here] of edits.pairs) {
    above.append(element("td", kind, there === null ? "" : edits.reference[there]));
    const word = here === null ? null : edits.words[here];
    const cell = element("td", kind, word ? word.word : "");
    const run = word ? edits.runs.findLastIndex((places) => places.has(word.place)) : -1;
    if (run >= 0) {
      cell.classList.add("shifted");
      cell.append(element("sup", "", `${run + 1}`));
    }
    below.append(cell);
    kinds.append(element("td", kind, signs[kind] ?? ""));
  }
  box.append(table);
  return box;
}

// The edits of the first edit metric that the page can tell, for the systems in sight.
function editsShown(index, systems) {
  const metric = data.metrics.findIndex(({ measures }) => measures in READERS);
  const made = element("div");
  if (metric < 0) return made;
  for (const system of systems) {
    const edits = editsOf(metric, index, system);
    if (!edits) continue;
    const count = editsIn(edits);
    const moves = edits.runs.length ? `, ${edits.runs.length} of them ${edits.runs.length === 1 ? "a move" : "moves"} (numbered)` : "";
    made.append(label(data.systems[system], null, `${edits.name}: ${count} ${count === 1 ? "edit" : "edits"}${moves}. S substitution, D deletion, I insertion`), editsTable(edits, data.systems[system]));
  }
  return made;
}
