// What the page computes from texts, in a worker: scores with intervals and verdicts, segments with their tokens and
// steps, and the result that the command line reads. Nothing here knows the page.

const METRICS = ["bleu", "chrf", "ter", "rouge", "wer", "mer", "wil", "wip", "cer"];
const POOL = "self-bleu";
const MOST_LISTED = 20000; // segments that the list shows

const bytesOf = (numbers) => new TextEncoder().encode(numbers);

// The metric of a name with the page's choices, as far as it has them.
export function describe(name, { tokenizer = "", smoothing = "", lowercase = false } = {}) {
  const options = [];
  const words = tokenizer && ["bleu", "wer", "mer", "wil", "wip", POOL].includes(name);
  if (words) options.push(`tokenizer:${tokenizer}`);
  if (smoothing && ["bleu", POOL].includes(name)) options.push(`smoothing:${smoothing}`);
  if (lowercase && name !== "rouge" && name !== "ter") options.push("lowercase:yes");
  return [name, ...options].join("|");
}

// Holm and the test ask about pairs of the order that scores give, the best first.
function ranked(systems, higher) {
  const sign = higher ? -1 : 1;
  return systems.map((_, place) => place).sort((a, b) => sign * (systems[a].score - systems[b].score) || a - b);
}

const plain = (values) => Object.entries(values);

function partsOf(name, values, sums) {
  const columns = (first, step) => sums.filter((_, place) => place >= first && (place - first) % step === 0);
  if (name === "bleu") {
    const orders = (sums.length - 2) / 2;
    return {
      precisions: plain(values).filter(([key]) => key.startsWith("precision_")).map(([, value]) => value),
      matches: sums.slice(2, 2 + orders),
      totals: sums.slice(2 + orders),
      brevity_penalty: values.brevity_penalty,
      hypothesis_length: sums[0],
      reference_length: sums[1],
    };
  }
  if (name === "chrf") return { precision: values.precision, recall: values.recall, matches: columns(2, 3), hypothesis_totals: columns(0, 3), reference_totals: columns(1, 3) };
  if (name === "ter") return { edits: sums[0], reference_length: values.reference_length };
  if (name === "rouge") return values;
  return { hits: sums[0], substitutions: sums[1], deletions: sums[2], insertions: sums[3] };
}

export class Scoring {
  // `versions` are those of bleuprint and of Unicode; `tell(words, done, total)` reports, and false from it cancels.
  constructor(core, versions, tell = () => true) {
    this.core = core;
    this.versions = versions;
    this.tell = tell;
  }

  // Systems, references and sources are lists of { name, bytes }; references belong together line by line.
  score({ systems, references, sources, metrics, choices }) {
    this.choices = choices;
    this.names = systems.map(({ name }) => name);
    this.columns = systems.map((system) => this.#lines(system));
    this.references = references.map((texts) => this.#lines(texts));
    this.sources = sources.map((texts) => this.#lines(texts))[0] ?? null;
    this.size = this.columns[0].segments;
    for (const [place, column] of [...this.columns, ...this.references, ...(this.sources ? [this.sources] : [])].entries()) {
      const name = [...systems, ...references, ...sources][place].name;
      if (column.segments !== this.size) throw new Error(`“${name}” has ${column.segments.toLocaleString("en")} lines, but “${this.names[0]}” has ${this.size.toLocaleString("en")}: line 1 of every text belongs together`);
    }
    if (!this.size) throw new Error(`“${this.names[0]}” has no lines`);
    this.aligned = this.references.length > 1 ? this.core.together(this.references) : (this.references[0] ?? null);
    const names = [...(this.aligned ? METRICS.filter((name) => metrics.includes(name)) : []), ...(metrics.includes(POOL) && this.size > 1 ? [POOL] : [])];
    if (!names.length) throw new Error(this.aligned || this.size < 2 ? "choose a metric; Self-BLEU needs at least two lines" : "add references, or choose Self-BLEU, which needs none");
    this.metrics = names.map((name) => this.#metric(name));
    return this.summary();
  }

  #lines({ name, bytes }) {
    try {
      return this.core.lines(bytes);
    } catch (error) {
      if (error.badText) throw new Error(`“${name}”: ${error.message.replace("segment", "line")}`);
      throw error;
    }
  }

  #metric(name) {
    const metric = this.core.metric(describe(name, this.choices));
    const pool = name === POOL;
    const systems = this.columns.map((column, place) => {
      const report = (done, total) => this.tell(`${name} of ${this.names[place]}`, done, total);
      const rows = this.core.count(metric, column, pool ? null : this.aligned, report);
      const values = rows.values();
      const score = Object.values(values)[0];
      const sums = pool ? [] : rows.sums();
      const parts = pool ? { per_order: Object.values(values).slice(1), texts: this.size } : partsOf(name, values, sums);
      return { rows, values, score, parts, segments: rows.segmentScores() };
    });
    const facts = `${pool ? `texts:${this.size}` : `references:${this.references.length}`}|bleuprint:${this.versions.bleuprint}`;
    const found = { name, pool, higher: metric.higherIsBetter, systems, signature: `${metric.signature}#${facts}`, segmentSignature: `${pool ? metric.signature : metric.segmentSignature}#${facts}`, pairs: [], metric };
    found.order = ranked(systems, found.higher);
    if (!pool) {
      const report = (done, total) => this.tell(`intervals of ${name}`, done, total);
      const compared = this.core.compare(found.order.map((place) => systems[place].rows), { report });
      found.order.forEach((place, rank) => (systems[place].interval = compared.intervals[rank]));
      found.pairs = compared.pairs.map((pair) => ({ ...pair, first: found.order[pair.first], second: found.order[pair.second] }));
    }
    return found;
  }

  // What the page shows at once; no texts.
  summary() {
    return {
      names: this.names,
      size: this.size,
      references: this.references.length,
      metrics: this.metrics.map(({ name, pool, higher, systems, signature, order, pairs }) => ({
        ...{ name, pool, higher, signature, order },
        systems: systems.map(({ score, interval, parts }) => ({ score, interval: interval ?? null, parts })),
        pairs: pairs.map((pair) => ({ ...pair, verdict: this.#verdict(pair, higher) })),
      })),
    };
  }

  #verdict({ first, second, difference, level, corrected, pValue, test, trials }, higher) {
    const [a, b] = [this.names[first], this.names[second]];
    const size = Math.abs(difference.value).toFixed(4);
    const p = `${corrected < 0.0001 ? "p < 0.0001" : `p = ${corrected.toFixed(4)}`}${corrected === pValue ? "" : ", corrected"}`;
    const crosses = difference.low <= 0 && difference.high >= 0;
    if (corrected < 0.05 && difference.value !== 0) {
      const [better, worse] = difference.value > 0 === higher ? [a, b] : [b, a];
      const doubt = crosses ? " by this test, although its interval, which covers other segments, includes 0" : "";
      return `${better} is better than ${worse}: the difference of ${size} is unlikely to be chance${doubt} (${p})`;
    }
    const least = test === "exact" ? Math.min(1, 2 / trials) : 1 / (trials + 1);
    const few = least >= 1 - level - 1e-12;
    const why = crosses ? `a difference of ${size} may well be chance` : few ? `a difference of ${size}, but so few segments changed that no p-value can be small enough` : `a difference of ${size} may be chance by this test, although its interval excludes 0`;
    return `${a} and ${b} cannot be told apart: ${why} (${p})`;
  }

  // What the list of segments reads: texts as they are; their tokens and steps come when a segment is opened. Of a large
  // file the list has the segments that score worst.
  list() {
    const first = this.metrics.find(({ pool }) => !pool) ?? this.metrics[0];
    let places = Array.from({ length: this.size }, (_, place) => place);
    if (this.size > MOST_LISTED) {
      const mean = (place) => first.systems.reduce((sum, { segments }) => sum + segments[place], 0) * (first.higher ? 1 : -1);
      const means = Float64Array.from(places, mean);
      places = places.sort((a, b) => means[a] - means[b]).slice(0, MOST_LISTED).sort((a, b) => a - b);
    }
    this.places = places;
    const bleu = this.metrics.find(({ name }) => name === "bleu");
    const orders = bleu ? Object.keys(bleu.systems[0].values).length - 2 : 4;
    return {
      systems: this.names,
      metrics: this.metrics.map(({ name, higher, pool, segmentSignature }) => ({ name, higher, percent: false, bySize: false, measures: name, scored: true, signature: pool ? null : segmentSignature })),
      ids: places.length < this.size ? places.map((place) => `line ${place + 1}`) : null,
      ranking: first.order,
      steps: {},
      marking: { metric: bleu ? "bleu" : null, copies: null, orders, lowercase: this.#lowercase, tokenizer: this.#tokenizer },
      scores: this.metrics.map(({ systems }) => systems.map(({ segments }) => places.map((place) => segments[place]))),
      groups: [],
      texts: places.map((place) => [this.sources?.text(place) ?? null, this.references.map((column) => column.text(place)), this.columns.map((column) => column.text(place))]),
    };
  }

  get #tokenizer() {
    return this.choices.tokenizer || "13a";
  }

  get #lowercase() {
    return Boolean(this.choices.lowercase);
  }

  // A listed segment with its tokens, and the steps of its scores.
  segment(index) {
    const place = this.places[index];
    const entry = (column) => this.#entry(column.text(place), this.#tokenizer, this.#lowercase);
    const steps = {};
    this.metrics.forEach((metric, number) => {
      if (metric.pool) return;
      metric.systems.forEach(({ rows, segments }, system) => {
        steps[`${number} ${system} ${index}`] = stepsOf(metric.name, rows.row(place), segments[place], {
          tokens: (column) => this.core.tokenize(this.#tokenizer, this.#lowercase, column.text(place)).map(({ token }) => token),
          output: this.columns[system],
          references: this.references,
          smoothing: metric.signature.match(/smoothing:([^|#]*)/)?.[1],
        });
      });
    });
    return { index, text: [this.sources?.text(place) ?? null, this.references.map(entry), this.columns.map(entry)], steps };
  }

  // One output against its references under each of these signatures, and the output with its tokens. What the module
  // does not have is refused in words; null stands for a score that depends on other segments.
  rescore({ signatures, output, references, tokenizer, lowercase }) {
    const attempt = (work) => {
      const made = [];
      const keep = (handle) => (made.push(handle), handle);
      try {
        return work(keep);
      } catch (error) {
        return { refused: error.message };
      } finally {
        for (const handle of made) handle.free();
      }
    };
    const score = (signature) => (keep) => {
      if (signature === null) throw new Error("it scores all outputs together");
      if (!references.length) throw new Error("there are no references");
      const metric = keep(this.core.metric(signature));
      const rows = keep(this.core.count(metric, keep(this.core.column([output])), keep(this.core.column([references]))));
      return { value: rows.segmentScores()[0] };
    };
    const entry = attempt(() => this.#entry(output, tokenizer, lowercase));
    return { scores: signatures.map((signature) => attempt(score(signature))), entry: entry.refused ? null : entry };
  }

  // A text with its tokens: where each begins and ends in it, in code points, and what it counts as.
  #entry(text, tokenizer, lowercase) {
    if (text.length > 20000) return text;
    const tokens = this.core.tokenize(tokenizer, lowercase, text);
    if (tokens.every(({ end }) => end > 0)) {
      const points = new Map([[0, 0]]);
      let bytes = 0;
      let count = 0;
      for (const letter of text) {
        const code = letter.codePointAt(0);
        bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
        points.set(bytes, ++count);
      }
      return [text, "", {}, 0, tokens.map(({ token, begin, end }) => [points.get(begin), points.get(end), token])];
    }
    // Some are not in the text as they count, so the tokens are shown instead of it.
    const shown = tokens.map(({ token }) => token);
    let at = 0;
    const spans = shown.map((token) => {
      const begin = at;
      at += Array.from(token).length + 1;
      return [begin, at - 1, token];
    });
    return [shown.join(" "), "", {}, 1, spans, text];
  }

  // The result as `bleuprint report` and `bleuprint gate` read it.
  async result() {
    const texts = (column) => Array.from({ length: this.size }, (_, place) => column.text(place));
    const references = Array.from({ length: this.aligned ? this.size : 0 }, (_, place) => this.references.map((column) => column.text(place)));
    const sources = this.sources && texts(this.sources);
    const systems = [];
    for (const [place, name] of this.names.entries()) {
      const hypotheses = texts(this.columns[place]);
      const scores = this.metrics.map((metric) => {
        const { score, parts, segments, interval } = metric.systems[place];
        return {
          metric: metric.name,
          higher_is_better: metric.higher,
          value: score,
          parts,
          signature: metric.signature,
          segments,
          segment_signature: metric.segmentSignature,
          unit: metric.pool ? "pool" : "segment",
          ...(interval ? { interval: [interval.low, interval.high] } : {}),
        };
      });
      systems.push({ name, hypotheses, digest: await digestOf(hypotheses.map((text) => [text])), scores });
    }
    return {
      schema_version: 1,
      systems,
      references,
      sources,
      size: this.size,
      digests: { ...(references.length ? { references: await digestOf(references) } : {}), ...(sources ? { sources: await digestOf(sources.map((text) => [text])) } : {}) },
      versions: { bleuprint: this.versions.bleuprint, unicode: this.versions.unicode },
      notes: [],
      comparison: null,
    };
  }
}

// SHA-256 of segments: the lengths of the texts in bytes, then the texts.
async function digestOf(segments) {
  const parts = [];
  for (const segment of segments) {
    const encoded = segment.map((text) => bytesOf(text));
    parts.push(bytesOf(`${encoded.map((bytes) => bytes.length).join(" ")}\n`), ...encoded);
  }
  const all = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", all));
  return `sha256:${Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

// ---- The arithmetic of one score: name, text, table and equations of each step, as the report shows them. ----

const four = (value) => value.toFixed(4);

function stepsOf(name, row, score, texts) {
  const steps = { bleu: bleuSteps, chrf: chrfSteps, ter: terSteps, rouge: rougeSteps }[name];
  return steps ? steps(row, score, texts) : rateSteps(name, row, score);
}

function bleuSteps(row, score, { tokens, output, references, smoothing }) {
  const orders = (row.length - 2) / 2;
  const [own, ...others] = [output, ...references].map(tokens);
  const [c, r] = row;
  const steps = [["Tokens and lengths", `${c} tokens in the output; the closest reference has ${r}.`, null, [`c = ${c}`, `r = ${r}`]]];
  const counts = (words, order) => {
    const found = new Map();
    for (let at = 0; at + order <= words.length; at++) {
      const gram = JSON.stringify(words.slice(at, at + order));
      found.set(gram, (found.get(gram) ?? 0) + 1);
    }
    return found;
  };
  for (let order = 1; order <= orders; order++) {
    const known = others.map((words) => counts(words, order));
    const lines = [...counts(own, order)].map(([gram, count]) => {
      const most = Math.max(...known.map((each) => each.get(gram) ?? 0));
      return [JSON.parse(gram).join(" "), count, most, Math.min(count, most)];
    });
    const head = [order === 1 ? "word" : `${order}-gram`, "in the output", references.length > 1 ? "most in a reference" : "in the reference", "counted"];
    steps.push([`Clipped matches of order ${order}`, "An n-gram counts at most as often as any one reference has it.", [head, ...lines], [`m_${order} = ${row[1 + order]}`, `t_${order} = ${row[1 + orders + order]}`]]);
  }
  const present = row.slice(2 + orders).filter((total) => total > 0).length;
  const equations = [];
  for (let order = 1; order <= orders; order++) {
    const [match, total] = [row[1 + order], row[1 + orders + order]];
    equations.push(total ? `m_${order} / t_${order} = ${match} / ${total} = ${four(match / total)}` : `order ${order} is left out: the output has no ${order}-grams`);
  }
  steps.push(["Precisions", `Matches divided by totals. Orders without a match: smoothing ${smoothing}.`, null, equations]);
  const penalty = c === 0 ? 0 : c >= r ? 1 : Math.exp(1 - r / c);
  steps.push(["Brevity penalty", "BP = 1 if c ≥ r, exp(1 − r/c) if c < r.", null, [`BP = ${c && c < r ? `exp(1 − ${r}/${c}) = ` : ""}${four(penalty)}`]]);
  steps.push(["Score", `The geometric mean of ${present} precisions, times BP.`, null, [`BLEU = BP · (p_1 · … · p_${present})^(1/${present}) = ${four(score)}`]]);
  return steps;
}

function chrfSteps(row, score) {
  const lines = [];
  const [precisions, recalls] = [[], []];
  for (let at = 0; at < row.length; at += 3) {
    const [own, wanted, matches] = row.slice(at, at + 3);
    const both = own > 0 && wanted > 0;
    if (both) precisions.push(matches / own), recalls.push(matches / wanted);
    lines.push([at / 3 + 1, own, wanted, matches, both ? four(matches / own) : "left out", both ? four(matches / wanted) : "left out"]);
  }
  const mean = (values) => (values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : 0);
  return [
    ["Character n-grams", "Runs of characters without white space, at most as often as the reference has them.", [["order", "in the output", "in the reference", "matches", "P", "R"], ...lines], []],
    ["Precision and recall", "The means over the orders that both texts have.", null, [`P = ${four(mean(precisions))}`, `R = ${four(mean(recalls))}`]],
    ["Score", "Recall counts four times as much as precision (β = 2).", null, [`chrF = 5 · P · R / (4 · P + R) = ${four(score)}`]],
  ];
}

function terSteps([edits, words, first], score) {
  const length = first ? `${words} and a fraction` : words;
  return [["Edits", "Words that are inserted, deleted or replaced, and runs that are moved; above they stand under each other.", null, [`edits = ${edits}`, `words of the reference = ${length}`, `TER = edits / words = ${four(score)}`]]];
}

function rougeSteps(row, score) {
  const names = ["rouge1", "rouge2", "rougeL", "rougeLsum"];
  const lines = names.map((name, place) => {
    const [matches, own, wanted] = row.slice(3 * place, 3 * place + 3);
    const [precision, recall] = [own ? matches / own : 0, wanted ? matches / wanted : 0];
    return [name, matches, own, wanted, four(precision), four(recall), four(precision + recall ? (2 * precision * recall) / (precision + recall) : 0)];
  });
  return [["Matches", "Words, pairs of words and the longest common subsequence. F = 2 · P · R / (P + R); the score is the F of rouge1.", [["type", "matches", "in the output", "in the reference", "P", "R", "F"], ...lines], [`ROUGE-1 = ${four(score)}`]]];
}

function rateSteps(name, [hits, substitutions, deletions, insertions], score) {
  const edits = substitutions + deletions + insertions;
  const [reference, output] = [hits + substitutions + deletions, hits + substitutions + insertions];
  const errors = reference ? `(S + D + I) / (H + S + D) = ${edits} / ${reference}` : "insertions";
  const kept = reference && output ? `H / (H + S + D) · H / (H + S + I) = ${hits} / ${reference} · ${hits} / ${output}` : `${Number(!reference && !output)}`;
  const formula = { wer: errors, cer: errors, mer: `(S + D + I) / (H + S + D + I) = ${edits} / ${hits + edits}`, wip: kept, wil: `1 − WIP, WIP = ${kept}` }[name];
  const empty = reference || name === "mer" ? "" : ", as the reference is empty";
  return [["Edits", `The fewest substitutions, deletions and insertions of ${name === "cer" ? "characters" : "words"}.`, [["hits", "substitutions", "deletions", "insertions"], [hits, substitutions, deletions, insertions]], [`${name.toUpperCase()} = ${formula} = ${four(score)}${empty}`]]];
}
