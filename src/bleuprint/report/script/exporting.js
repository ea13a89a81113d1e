// What is listed as a file, a segment as Markdown, a chart as a picture.

function save(name, type, content) {
  const link = element("a");
  link.href = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

const fileName = (ending) => `${document.title.replace(/ · bleuprint$/, "").replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 60)}-segments.${ending}`;

function exportFound(kind) {
  const types = { csv: "text/csv", jsonl: "application/x-ndjson", md: "text/markdown" };
  const content = { csv: asCsv, jsonl: asJsonLines, md: () => found.map(segmentMarkdown).join("\n") }[kind]();
  save(fileName(kind), types[kind], content);
}

// The fields of a segment, in the order of the columns.
function fieldsOf(index) {
  const [source, references, outputs] = data.texts[index];
  const fields = { segment: index + 1 };
  if (data.ids) fields.id = data.ids[index];
  if (source !== null) fields.source = source;
  fields.references = references.map(textOf);
  fields.systems = data.systems.map((name, system) => ({
    name,
    output: textOf(outputs[system]),
    scores: Object.fromEntries(data.metrics.map((metric, number) => [metric.name, data.scores[number][system][index] ?? null])),
  }));
  return fields;
}

function asJsonLines() {
  return found.map((index) => `${JSON.stringify(fieldsOf(index))}\n`).join("");
}

// A spreadsheet would run a cell that begins with one of these, so an apostrophe stands before it, as in the package's
// own tables.
const FORMULA = /(^|[;,|\t\r\n])(?='*[=+\-@＝＋－＠])|^(?='*[\t\r\n\0%])/g;
const csvCell = (value) => (typeof value === "number" ? String(value) : `"${value.replace(FORMULA, "$1'").replaceAll('"', '""')}"`);

function asCsv() {
  const most = data.texts.reduce((size, [, references]) => Math.max(size, references.length), 0);
  const rows = found.map((index) => {
    const { segment, id, source, references, systems } = fieldsOf(index);
    const padded = Array.from({ length: most }, (_, place) => references[place] ?? "");
    return [segment, ...(data.ids ? [id] : []), ...(source === undefined ? [] : [source]), ...padded, ...systems.flatMap(({ output, scores }) => [output, ...Object.values(scores).map((score) => score ?? "")])];
  });
  const names = ["segment", ...(data.ids ? ["id"] : []), ...(data.texts[0][0] === null ? [] : ["source"])];
  for (let place = 1; place <= most; place++) names.push(most === 1 ? "reference" : `reference ${place}`);
  for (const name of data.systems) names.push(name, ...data.metrics.map((metric) => `${name} ${metric.name}`));
  return [names, ...rows].map((row) => `${row.map(csvCell).join(",")}\r\n`).join("");
}

const markdownText = (text) => visible(text.replace(/\s+/g, " ").trim()).replace(/[\\`*_{}[\]<>|~&#@]/g, "\\$&");

function segmentMarkdown(index) {
  const { segment, id, source, references, systems } = fieldsOf(index);
  const shown = [state.first, ...(state.second === null ? [] : [state.second])];
  const names = data.metrics.map((metric) => markdownText(metric.name));
  const row = (cells) => `| ${cells.join(" | ")} |`;
  const blank = names.map(() => "");
  return `${[
    `**Segment ${segment}**${id === undefined ? "" : ` (${markdownText(id)})`}`,
    "",
    row(["", "text", ...names]),
    row(["---", "---", ...names.map(() => "---:")]),
    ...(source === undefined ? [] : [row(["source", markdownText(source), ...blank])]),
    ...references.map((text, place) => row([references.length > 1 ? `reference ${place + 1}` : "reference", markdownText(text), ...blank])),
    ...shown.map((system) => row([markdownText(systems[system].name), markdownText(systems[system].output), ...data.metrics.map((_, metric) => digits(data.scores[metric][system][index], metric))])),
  ].join("\n")}\n`;
}

// The properties that a style sheet gives a chart; in a file of its own they stand at each shape.
const DRAWN = ["fill", "fill-opacity", "stroke", "stroke-opacity", "stroke-width", "stroke-dasharray", "stroke-linecap", "font-family", "font-size", "font-weight", "opacity"];

function chartFile(svg) {
  const { width, height } = svg.viewBox.baseVal;
  const copy = svg.cloneNode(true);
  const [from, to] = [svg, copy].map((root) => [root, ...root.querySelectorAll("*")]);
  from.forEach((node, place) => {
    const style = getComputedStyle(node);
    for (const name of DRAWN) to[place].setAttribute(name, style.getPropertyValue(name));
    for (const name of ["class", "tabindex", "role", "aria-pressed", ...Object.keys(to[place].dataset).map((key) => `data-${key}`)]) to[place].removeAttribute(name);
  });
  const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [name, value] of [["width", width], ["height", height], ["fill", getComputedStyle(document.body).backgroundColor]]) ground.setAttribute(name, value);
  copy.prepend(ground);
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" });
}

async function chartPicture(svg) {
  const scale = 2;
  const { width, height } = svg.viewBox.baseVal;
  const image = new Image();
  image.src = URL.createObjectURL(chartFile(svg));
  await image.decode();
  const canvas = element("canvas");
  [canvas.width, canvas.height] = [scale * width, scale * height];
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  return new Promise((resolve) => { canvas.toBlob(resolve, "image/png"); });
}

function bindCharts() {
  document.querySelectorAll("svg.chart").forEach((svg, number) => {
    const buttons = element("p", "save");
    const name = `${svg.closest("section")?.id ?? "chart"}-${number + 1}`;
    for (const [kind, made] of [["SVG", chartFile], ["PNG", chartPicture]]) {
      const button = element("button", "", kind);
      button.type = "button";
      button.ariaLabel = `save this chart as ${kind}: ${svg.getAttribute("aria-label")}`;
      button.addEventListener("click", async () => save(`${name}.${kind.toLowerCase()}`, "", await made(svg)));
      buttons.append(button);
    }
    svg.after(buttons);
  });
}
