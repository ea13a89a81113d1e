// The steps of a score. They are stored for the worst segments, so that the page stays small whatever the corpus; for
// any other segment the page has the command that prints them.

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

function workOf(index, systems) {
  const made = element("details", "work-steps");
  made.append(element("summary", "", "Show the work"));
  made.addEventListener("toggle", () => {
    if (made.open && made.childElementCount === 1) for (const system of systems) made.append(stepsOf(index, system));
  });
  return made;
}

function stepsOf(index, system) {
  const box = element("div", "work");
  const steps = data.steps[`${state.metric} ${system} ${index}`];
  const { name, measures } = data.metrics[state.metric];
  box.append(label(data.systems[system], null, `${name} ${digits(data.scores[state.metric][system][index], state.metric)}`));
  if (!steps) {
    const [source, references, outputs] = data.texts[index];
    const texts = [textOf(outputs[system]), ...references.map(textOf)].map(quoted).join(" ");
    const command = `bleuprint work -m ${measures ?? name} ${measures === "ibleu" ? `--source ${quoted(source ?? "")} ` : ""}${texts}`;
    const code = element("code", "", command);
    code.tabIndex = 0;
    box.append(element("p", "", "The page keeps the steps of its worst segments. This prints them for this one (add the options of the signature):"), code, copyButton("copy", () => command));
    return box;
  }
  steps.forEach(([title, text, table, equations], number) => {
    box.append(element("h4", "", `${number + 1}. ${title}`), element("p", "", text));
    if (table) box.append(stepTable(table));
    for (const equation of equations) box.append(element("p", "equation", equation));
  });
  return box;
}

function stepTable([header, ...lines]) {
  const scroll = element("div", "scroll");
  scroll.tabIndex = 0;
  const table = element("table");
  const head = table.createTHead().insertRow();
  for (const cell of header) head.append(element("th", "", String(cell)));
  const body = table.createTBody();
  for (const line of lines) {
    const row = body.insertRow();
    for (const cell of line) row.append(element("td", "", typeof cell === "number" && !Number.isInteger(cell) ? cell.toFixed(4) : String(cell)));
  }
  scroll.append(table);
  return scroll;
}
