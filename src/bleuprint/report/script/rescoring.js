// "What if": an output that the reader edits, and the scores that it would have, counted by the page's own module.

PARTS.push((index, systems) => {
  const made = element("details", "what-if");
  made.append(element("summary", "", "What if it said something else?"));
  made.addEventListener("toggle", () => {
    if (made.open && made.childElementCount === 1) for (const system of systems) made.append(editor(index, system));
  });
  return made;
});

// The text as it was scored; null where the page has kept its tokens alone.
const scoredText = (entry) => (Array.isArray(entry) && entry[3] ? (entry[5] ?? null) : textOf(entry));

async function rescored(output, references) {
  await (started ?? startWorker());
  const signatures = data.metrics.map(({ signature }) => signature);
  return ask("rescore", { signatures, output, references, tokenizer: data.marking.tokenizer, lowercase: data.marking.lowercase });
}

function editor(index, system) {
  const box = element("div");
  const [, entries, outputs] = data.texts[index];
  const [output, ...references] = [outputs[system], ...entries].map(scoredText);
  if ([output, ...references].includes(null)) {
    box.append(label(data.systems[system], null, "cannot be rescored here: the page has kept the tokens of this segment, not its texts"));
    return box;
  }
  const field = element("textarea", "edited");
  field.rows = 3;
  field.dir = "auto";
  field.spellcheck = field.translate = false;
  field.ariaLabel = `output of ${visible(data.systems[system])}, to be edited`;
  field.value = output;
  const marks = element("div");
  const table = element("div", "scroll");
  table.tabIndex = 0;
  table.role = "region";
  table.ariaLabel = "scores of the edited output";
  table.ariaLive = "polite";
  box.append(label(data.systems[system]), field, marks, table);
  let before = null;
  let wanted = null; // the newest text, while an older one is being scored
  const show = async (text) => {
    const busy = wanted !== null;
    wanted = text;
    if (busy) return;
    table.ariaBusy = "true";
    try {
      before ??= await rescored(output, references);
      for (let scored = null; scored !== wanted; ) {
        scored = wanted;
        const found = await rescored(scored, references);
        marks.replaceChildren(...(found.entry && scored.length <= LONGEST ? [markedEdit(found.entry, entries)] : []));
        table.replaceChildren(rescoredTable(index, system, before.scores, found.scores));
      }
    } catch (error) {
      table.replaceChildren(element("p", "who", error.message));
    }
    wanted = null;
    table.ariaBusy = "false";
  };
  field.addEventListener("input", () => show(field.value));
  show(output);
  return box;
}

function markedEdit(entry, references) {
  const texts = [entry, ...references].map((each) => tokensOf(each, data.marking.lowercase));
  const model = modelOf(texts, numbered(texts), 1);
  model.copied = [new Set()];
  return markedText(model, 0, null);
}

function rescoredTable(index, system, before, after) {
  const table = element("table", "rescored");
  const head = table.createTHead().insertRow();
  for (const name of ["score", "as it is", "as edited", "change"]) head.append(element("th", name === "score" ? "" : "number", name));
  const body = table.createTBody();
  data.metrics.forEach((metric, number) => {
    const row = body.insertRow();
    const name = element("th", "", `${metric.name} ${metric.higher ? "↑" : "↓"}`);
    name.scope = "row";
    row.append(name);
    const [now, then] = [before[number], after[number]];
    const stored = data.scores[number][system]?.[index];
    // Only what the module gives for the unchanged output too is the metric of this page.
    const differs = now.value !== undefined && !(Math.abs(now.value - stored) < 0.6 / SCORE_STEPS);
    const refused = now.refused ?? then.refused ?? (differs ? `it gives ${digits(now.value, number)} for the output as it is, not ${digits(stored, number)}` : null);
    if (refused) {
      const cell = element("td", "refused", `not counted by the module of this page: ${refused}`);
      cell.colSpan = 3;
      row.append(cell);
      return;
    }
    const change = then.value - now.value;
    for (const [value, sign] of [[now.value, ""], [then.value, ""], [change, change > 0 ? "+" : ""]]) {
      const cell = element("td", "number", `${sign}${digits(value, number)}`);
      cell.title = String(value); // all its digits
      row.append(cell);
    }
  });
  return table;
}
