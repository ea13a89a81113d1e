// One segment in full: its texts with their marks, and its numbers.

const LONGEST = 20000; // letters that are shown of a text, and the most that are marked
const LEVELS = 4; // shades of a match

const PARTS = [editsShown, workOf]; // what stands below the texts of a segment

function showSegment(data, index, first, second) {
  const [source, references, outputs, markedSource] = data.texts[index];
  const shown = second === null ? [first] : [first, second];
  const entries = [...shown.map((system) => outputs[system]), ...references];
  // Too long to be taken apart while someone waits: nothing of such a segment is marked.
  const long = entries.some((entry) => textOf(entry).length > LONGEST);
  const texts = entries.map((entry) => (long ? { plain: textOf(entry), tokens: [] } : tokensOf(entry, data.marking.lowercase)));
  const copies = !long && markedSource !== undefined && textOf(markedSource).length <= LONGEST;
  const ids = numbered(copies ? [...texts, tokensOf(markedSource, data.marking.lowercase)] : texts);
  const copied = copies ? ids.pop() : [];
  const model = modelOf(texts, ids, shown.length);
  model.copied = shown.map((_, number) => matched(ids[number], [copied], model.orders)[1]);
  const differences = second === null ? [] : differing(ids[0], ids[1]);

  const detail = place("detail");
  detail.replaceChildren(heading(index));
  if (!long) detail.append(remarksOf(data, index, first));
  if (long) detail.append(element("p", "who", "Not marked: a text of this segment is too long."));
  if (source !== null) detail.append(label("source"), plainText(source, "text source"));
  references.forEach((entry, number) => {
    const beside = second === null ? "" : `marked for ${data.systems[first]}`;
    detail.append(label(references.length > 1 ? `reference ${number + 1}` : "reference", entry, beside));
    detail.append(markedText(model, shown.length + number, null));
  });
  const columns = element("div", "outputs");
  shown.forEach((system, number) => {
    const column = element("div");
    column.append(label(data.systems[system], outputs[system], scoreText(data, system, index)));
    column.append(markedText(model, number, differences[number]));
    columns.append(column);
  });
  const scroll = element("div", "scroll");
  scroll.tabIndex = 0;
  scroll.role = "region";
  scroll.ariaLabel = "matches by length";
  scroll.hidden = long || !model.compared;
  if (!scroll.hidden) scroll.append(countsTable(data, model, shown));
  detail.append(columns, scroll);
  if (!long) detail.append(...PARTS.map((part) => part(index, shown)));
  detail.append(others(data, index, shown));
  detail.scrollTop = 0;
}

// Outputs and then references, with the matches of either side in the other.
function modelOf(texts, ids, systems) {
  const { orders } = data.marking;
  const starts = ids.map((own, place) => matched(own, place < systems ? ids.slice(systems) : ids.slice(0, 1), orders));
  return { orders, texts, ids, systems, compared: texts.length > systems, nodes: [], starts };
}

function heading(index) {
  const head = element("div", "detail-head");
  const name = element("h3", "", `Segment ${index + 1}`);
  if (data.ids) name.append(" · ", element("bdi", "", data.ids[index]));
  head.append(name, copyButton("copy link", linkHere), copyButton("copy as Markdown", () => segmentMarkdown(index)));
  return head;
}

function label(name, entry, extra) {
  const line = element("p", "who");
  const bold = element("b");
  bold.append(element("bdi", "", name));
  line.append(bold);
  if (extra) line.append(" ", element("bdi", "", extra));
  if (Array.isArray(entry) && entry[3]) line.append(" (shown as its tokens)");
  return line;
}

function scoreText(data, system, index) {
  const shown = data.metrics.map((metric, number) => [metric, `${metric.name} ${digits(data.scores[number][system][index], number)}`]);
  return shown.filter(([{ scored }]) => scored).map(([, text]) => text).join(" · ");
}

function digits(value, metric) {
  if (value === undefined) return "";
  const { percent, bySize } = data.metrics[metric];
  if (percent) return (100 * value).toFixed(2);
  const size = bySize ? Math.abs(value) : 0;
  return value.toFixed(size < 1 ? 4 : size < 10 ? 3 : size < 100 ? 2 : 0);
}

function plainText(text, kind) {
  const rest = text.length - LONGEST;
  const begin = text.slice(0, LONGEST).replace(/[\ud800-\udbff]$/, "");
  const made = element("p", kind, rest > 0 ? `${begin}… (${rest.toLocaleString("en")} more)` : text);
  made.dir = "auto";
  made.translate = false;
  return made;
}

// A text with a span for every token, and for the gaps inside a match.
function markedText(model, number, differs) {
  const { letters, tokens, plain } = model.texts[number];
  if (plain !== undefined) return plainText(plain, "text");
  const output = number < model.systems;
  const { token: depth, gap } = depths(model.starts[number], tokens.length);
  const made = plainText("", "text");
  made.tabIndex = 0;
  let at = 0;
  tokens.forEach((token, index) => {
    made.append(gapNode(letters.slice(at, token.begin).join(""), index ? shade(gap[index - 1], model.orders) : 0));
    const kinds = ["t"];
    if (depth[index]) kinds.push(`m${shade(depth[index], model.orders)}`);
    if (gap[index]) kinds.push("to-next");
    if (index && gap[index - 1]) kinds.push("to-last");
    if (model.compared && !depth[index]) kinds.push(output ? "extra" : "missing");
    if (output && model.copied[number].has(index)) kinds.push("copied");
    if (differs && differs[index]) kinds.push("differs");
    const span = element("span", kinds.join(" "), letters.slice(token.begin, token.end).join(""));
    span.dataset.text = number;
    span.dataset.token = index;
    if (depth[index] > 1) span.title = `part of a match of ${depth[index]} tokens`;
    made.append(span);
    at = token.end;
  });
  made.append(visible(letters.slice(at).join("")));
  model.nodes[number] = made;
  bindLights(made, model, number);
  return made;
}

function gapNode(text, level) {
  return level && text ? element("span", `join m${level}`, text) : document.createTextNode(visible(text));
}

const shade = (depth, orders) => (orders <= LEVELS ? depth : Math.ceil((LEVELS * depth) / orders));

// The longest match that a token is part of: where it starts and how long it is.
function matchAt(model, number, index) {
  for (let order = model.orders; order >= 1; order--) {
    for (let start = Math.max(0, index - order + 1); start <= index; start++) {
      if (model.starts[number][order].has(start)) return [start, order];
    }
  }
  return null;
}

function light(model, number, index) {
  dim();
  const found = matchAt(model, number, index);
  if (!found) return;
  const gram = gramAt(model.ids[number], found[0], found[1]);
  const output = number < model.systems;
  model.ids.forEach((ids, other) => {
    const partner = other < model.systems !== output;
    if (!partner && other !== number) return;
    for (let start = 0; start + found[1] <= ids.length; start++) {
      if (other === number ? start !== found[0] : gramAt(ids, start, found[1]) !== gram) continue;
      for (let token = start; token < start + found[1]; token++) {
        const span = spanOf(model, other, token);
        span?.classList.add("lit");
        const gap = span?.nextSibling;
        if (token + 1 < start + found[1] && gap instanceof Element && !gap.dataset.token) gap.classList.add("lit");
      }
    }
  });
}

const spanOf = (model, number, token) => model.nodes[number]?.querySelector(`[data-token="${token}"]`);

function dim() {
  for (const node of document.querySelectorAll(".lit")) node.classList.remove("lit");
}

function bindLights(node, model, number) {
  let current = -1;
  node.addEventListener("pointerover", (event) => {
    if (event.target.dataset.token !== undefined) light(model, number, Number(event.target.dataset.token));
  });
  node.addEventListener("pointerleave", dim);
  node.addEventListener("blur", dim);
  node.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    current = Math.min(Math.max(current + step, 0), model.ids[number].length - 1);
    light(model, number, current);
    event.preventDefault();
  });
}

function countsTable(data, model, shown) {
  const table = element("table", "counts");
  const head = table.createTHead().insertRow();
  head.append(element("td", "", "matched"));
  for (let order = 1; order <= model.orders; order++) head.append(element("th", "", `${order}-grams`));
  const body = table.createTBody();
  shown.forEach((system, number) => {
    const row = body.insertRow();
    const name = element("th");
    name.append(element("bdi", "", data.systems[system]));
    row.append(name);
    for (const [match, total] of countsOf(model.starts[number], model.ids[number].length, model.orders)) {
      row.insertCell().textContent = `${match} of ${total}`;
    }
  });
  return table;
}

function others(data, index, shown) {
  const rest = data.systems.map((_, system) => system).filter((system) => !shown.includes(system));
  const made = element("details");
  made.hidden = rest.length === 0;
  made.append(element("summary", "", rest.length === 1 ? "The other system" : `The ${rest.length} other systems`));
  for (const system of rest) {
    made.append(label(data.systems[system], null, scoreText(data, system, index)));
    made.append(plainText(textOf(data.texts[index][2][system]), "text"));
  }
  return made;
}
