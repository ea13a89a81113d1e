// The page: texts in, scores, verdicts and segments out. The list of segments is the report's own.

const MOST_BYTES = 300e6; // of all texts; WebAssembly has 2 GB for them and what is counted
const examples = JSON.parse(place("examples").textContent);
const guesses = { reference: /\b(ref|refs|reference|references|gold|human|target|tgt)\b/i, source: /\b(src|source|sources|input)\b/i };

let summary = null;

// ---- Texts. ----

const slots = () => [...place("slots").children];
const roleOf = (slot) => slot.querySelector(".role").value;

function nameFor(role) {
  const used = new Set(slots().map((slot) => slot.querySelector(".name").value));
  const stem = { system: "system", reference: "reference", source: "source" }[role];
  for (let number = 1; ; number++) {
    const name = role === "system" ? `${stem} ${String.fromCharCode(64 + number)}` : `${stem} ${number}`;
    if (!used.has(name)) return name;
  }
}

function addSlot(role, { name, text = "", file = null } = {}) {
  const slot = place("slot-template").content.firstElementChild.cloneNode(true);
  const [head, called, field] = [slot.querySelector(".role"), slot.querySelector(".name"), slot.querySelector("textarea")];
  head.value = role;
  called.value = name ?? nameFor(role);
  field.value = text;
  const label = () => {
    slot.ariaLabel = called.value;
    field.ariaLabel = `lines of ${called.value}`;
    slot.querySelector(".remove").ariaLabel = `remove ${called.value}`;
  };
  label();
  called.addEventListener("input", label);
  slot.querySelector(".remove").addEventListener("click", () => {
    const next = slot.nextElementSibling ?? slot.previousElementSibling;
    slot.remove();
    (next?.querySelector("textarea") ?? place("add")).focus();
  });
  slot.querySelector(".edit").addEventListener("click", () => {
    setFile(slot, null);
    field.focus();
  });
  place("slots").append(slot);
  setFile(slot, file);
  return slot;
}

const sizeInWords = (bytes) => (bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1000)).toLocaleString("en")} kB` : `${(bytes / 1e6).toFixed(1)} MB`);

// The file itself is kept, and read when it is scored; a large one never becomes text in the page.
function setFile(slot, file) {
  slot.fileOfTexts = file;
  slot.querySelector("textarea").hidden = file !== null;
  slot.querySelector(".file").hidden = file === null;
  if (file) slot.querySelector(".file span").textContent = visible(`${file.name}, ${sizeInWords(file.size)}`);
}

function takeFiles(files) {
  for (const slot of slots()) if (!slot.fileOfTexts && !slot.querySelector("textarea").value) slot.remove();
  for (const file of files) {
    const words = file.name.replace(/[._-]+/g, " ");
    const role = Object.keys(guesses).find((each) => guesses[each].test(words)) ?? "system";
    addSlot(role, { name: visible(file.name.replace(/\.(txt|text|tok|detok)$/i, "")), file });
  }
  const roles = slots().map(roleOf);
  const counted = (role, one, more) => `${roles.filter((each) => each === role).length} ${roles.filter((each) => each === role).length === 1 ? one : more}`;
  say(`${counted("system", "text of outputs", "texts of outputs")}, ${counted("reference", "of references", "of references")}, ${counted("source", "of sources", "of sources")}`);
}

function fill(example) {
  place("slots").replaceChildren();
  for (const [role, name, text] of example.texts) addSlot(role, { name, text });
  for (const box of document.querySelectorAll('[name="metric"]')) box.checked = example.metrics.includes(box.value);
  place("tokenizer").value = example.tokenizer ?? "";
  place("smoothing").value = example.smoothing ?? "";
  place("lowercase").checked = false;
  return scoreAll();
}

function inputs() {
  const found = { system: [], reference: [], source: [] };
  let bytes = 0;
  for (const slot of slots()) {
    const [text, file] = [slot.querySelector("textarea").value, slot.fileOfTexts];
    if (!file && text === "") continue;
    bytes += file ? file.size : text.length;
    found[roleOf(slot)].push({ name: slot.querySelector(".name").value.trim() || "texts without a name", text, file });
  }
  if (!found.system.length) throw new Error("There are no outputs yet: paste some, or open a file.");
  if (found.source.length > 1) throw new Error("One text of sources is enough: remove the others.");
  const names = found.system.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice) throw new Error(`Two texts of outputs are called “${visible(twice)}”: rename one.`);
  if (bytes > MOST_BYTES) throw new Error(`These texts have ${sizeInWords(bytes)}, and the page can hold ${sizeInWords(MOST_BYTES)}. The command line has no limit: bleuprint score outputs.txt -r references.txt`);
  return { systems: found.system, references: found.reference, sources: found.source };
}

// ---- Scoring. ----

function say(words) {
  place("status").textContent = visible(words);
}

function showProgress({ progress, done, total }) {
  place("progress").value = total ? done / total : 0;
  say(`${progress}: ${total ? Math.floor((100 * done) / total) : 0} %`);
}

function busy(working) {
  const had = document.activeElement;
  place("score").hidden = working;
  place("cancel").hidden = place("progress").hidden = !working;
  if (working && had === place("score")) place("cancel").focus();
  if (!working && had === place("cancel")) place("score").focus();
}

function showProblem(words) {
  place("problem").hidden = !words;
  place("problem").textContent = visible(words ? words[0].toUpperCase() + words.slice(1) : "");
}

async function scoreAll() {
  showProblem("");
  let input;
  try {
    input = inputs();
  } catch (error) {
    return showProblem(error.message);
  }
  const metrics = [...document.querySelectorAll('[name="metric"]:checked')].map((box) => box.value);
  const choices = { tokenizer: place("tokenizer").value, smoothing: place("smoothing").value, lowercase: place("lowercase").checked };
  clearScores();
  busy(true);
  place("progress").value = 0;
  say("starting");
  try {
    await startWorker(examples.versions, showProgress);
    const begin = performance.now();
    summary = await ask("score", { ...input, metrics, choices });
    const took = (performance.now() - begin) / 1000;
    showScores();
    say(`${summary.size.toLocaleString("en")} segments in ${took.toFixed(2)} s`);
    showList(await ask("list"));
    busy(false);
    // Focus alone would scroll to the middle of a long section.
    place("results").focus({ preventScroll: true });
    place("results").scrollIntoView();
  } catch (error) {
    busy(false);
    say("");
    showProblem(error.message);
  }
  return undefined;
}

// ---- Scores. ----

const LABELS = { bleu: "BLEU", chrf: "chrF", ter: "TER", rouge: "ROUGE-1", wer: "WER", mer: "MER", wil: "WIL", wip: "WIP", cer: "CER", "self-bleu": "Self-BLEU" };
const named = ({ name, higher }) => `${LABELS[name]} ${higher ? "↑" : "↓"}`;
const shown = (value) => value.toFixed(4);
const tied = (metric, place) => metric.pairs.some(({ first, second, corrected }) => first === metric.order[0] && second === place && corrected >= 0.05);

// They go with the worker that has counted them.
function clearScores() {
  data = null;
  found = [];
  for (const id of ["results", "segments", "show-segments", "switch"]) if (place(id)) place(id).hidden = true;
}

function showScores() {
  const table = document.querySelector("#results table");
  const head = element("tr");
  head.append(...["System", ...summary.metrics.map(named)].map((name, column) => {
    const cell = element("th", column ? "number" : "", name);
    cell.scope = "col";
    return cell;
  }));
  table.tHead.replaceChildren(head);
  table.tBodies[0].replaceChildren(...summary.names.map(scoreRow));
  const several = summary.names.length > 1;
  place("table-note").textContent = `Brackets: 95 % confidence intervals. ${several ? "Bold is best; ≈ cannot be told apart from the best. " : ""}↑ higher is better, ↓ lower is better.`;
  showVerdicts();
  place("signatures").replaceChildren(...summary.metrics.map(signatureFigure));
  place("results").hidden = false;
}

function scoreRow(name, system) {
  const row = element("tr");
  const head = element("th");
  head.scope = "row";
  head.append(element("bdi", "", name));
  row.append(head);
  for (const metric of summary.metrics) {
    const { score, interval } = metric.systems[system];
    const best = summary.names.length > 1 && metric.order[0] === system;
    const cell = element("td", `number${best ? " best" : ""}`);
    cell.append(element("span", "score", shown(score)));
    if (tied(metric, system)) {
      const sign = element("span", "tie", " ≈");
      sign.title = "cannot be told apart from the best";
      cell.append(sign);
    }
    if (interval) cell.append(element("span", "interval", `[${shown(interval.low)}, ${shown(interval.high)}]`));
    row.append(cell);
  }
  return row;
}

function showVerdicts() {
  const parts = [];
  for (const metric of summary.metrics) {
    if (!metric.pairs.length) continue;
    const list = element("ul", "verdicts");
    for (const { verdict, difference } of metric.pairs) {
      const item = element("li");
      item.append(element("bdi", "", `${verdict}.`), ` 95 %: ${shown(difference.low)} … ${shown(difference.high)}`);
      list.append(item);
    }
    parts.push(element("h3", "", `Who is better: ${LABELS[metric.name]}`), list);
  }
  place("verdicts").replaceChildren(...parts);
}

function signatureFigure({ name, signature }) {
  const figure = element("figure", "signature");
  const caption = element("figcaption", "", `${LABELS[name]} `);
  const code = element("code");
  code.tabIndex = 0;
  code.translate = false;
  signature.split("|").forEach((field, number) => {
    if (number) code.append("|", element("wbr"));
    code.append(visible(field));
  });
  const button = element("button", "copy", "copy");
  button.type = "button";
  button.ariaLabel = `copy the signature of ${LABELS[name]}`;
  button.addEventListener("click", () => copyText(signature, button, "copy"));
  caption.append(button);
  figure.append(caption, code);
  return figure;
}

const bestOf = (metric, system) => summary.names.length > 1 && metric.order[0] === system;

function asMarkdown() {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  const cell = (metric, system) => {
    const { score, interval } = metric.systems[system];
    const text = bestOf(metric, system) ? `**${shown(score)}**` : shown(score);
    return `${text}${tied(metric, system) ? " ≈" : ""}${interval ? ` [${shown(interval.low)}, ${shown(interval.high)}]` : ""}`;
  };
  const rows = summary.names.map((name, system) => line([markdownText(name), ...summary.metrics.map((metric) => cell(metric, system))]));
  const notes = summary.metrics.map(({ signature }) => `\`${signature}\``);
  return `${[line(["System", ...summary.metrics.map(named)]), line(["---", ...summary.metrics.map(() => "---:")]), ...rows, "", ...notes].join("\n")}\n`;
}

const LATEX = { "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}" };
const latexText = (text) => visible(text.replace(/\s+/g, " ").trim()).replace(/[\\~^&%$#_{}]/g, (letter) => LATEX[letter] ?? `\\${letter}`);

function asLatex() {
  const line = (cells) => `${cells.join(" & ")} \\\\`;
  const cell = (metric, system) => (bestOf(metric, system) ? `\\textbf{${shown(metric.systems[system].score)}}` : shown(metric.systems[system].score));
  const heads = summary.metrics.map(({ name, higher }) => `${LABELS[name]} $\\${higher ? "uparrow" : "downarrow"}$`);
  return `${[
    `% needs \\usepackage{booktabs}`,
    ...summary.metrics.map(({ signature }) => `% ${signature}`),
    `\\begin{tabular}{l${"r".repeat(heads.length)}}`,
    "\\toprule",
    line(["System", ...heads]),
    "\\midrule",
    ...summary.names.map((name, system) => line([latexText(name), ...summary.metrics.map((metric) => cell(metric, system))])),
    "\\bottomrule",
    "\\end{tabular}",
  ].join("\n")}\n`;
}

// ---- Segments: the report's list over what the worker has counted. ----

// An address cannot hold the texts, so it does not say what is shown either.
address = () => {};

const drawSegment = showSegment;
const opened = new Set();

// The tokens of a segment, and the steps of its scores, come when it is opened.
showSegment = async (read, index, first, second) => {
  if (!opened.has(index)) {
    let answer;
    try {
      answer = await ask("segment", { index });
    } catch (error) {
      if (read === data) showProblem(error.message);
    }
    if (!answer || read !== data) return;
    const { text, steps } = answer;
    opened.add(index);
    read.texts[index] = text;
    Object.assign(read.steps, steps);
    if (state.chosen !== index || state.first !== first || state.second !== second) return;
  }
  drawSegment(read, index, first, second);
};

function showList(read) {
  place("segments")?.remove();
  document.querySelector("main").append(place("segments-template").content.firstElementChild.cloneNode(true));
  opened.clear();
  searched = [];
  answered = { words: "" };
  underWay = null;
  waitingForSearch.length = 0;
  if (read.texts.length < summary.size) place("browser").prepend(element("p", "note small", `The list has the ${read.texts.length.toLocaleString("en")} segments that score worst of ${summary.size.toLocaleString("en")}; all are in the saved result.`));
  startBrowser(read);
  place("export").addEventListener("change", (event) => {
    if (event.target.value) exportFound(event.target.value);
    event.target.value = "";
  });
  place("show-segments").hidden = place("switch").hidden = false;
  set(firstView(), "keep");
  namePanes();
}

// ---- The page's own start; the report's script has bound its parts before. ----

function startPage() {
  root.classList.add("scripted");
  bindTheme();
  bindDialogs();
  bindKeys();
  bindPrint();
  bindPanes();
  addSlot("system");
  addSlot("reference");
  place("add").addEventListener("click", () => addSlot("system").querySelector("textarea").focus());
  place("open").addEventListener("click", () => place("files").click());
  place("files").addEventListener("change", ({ target }) => {
    takeFiles([...target.files]);
    target.value = "";
  });
  place("try").addEventListener("click", () => fill(examples.demo));
  place("try-worked").addEventListener("click", () => fill(examples.worked));
  place("score").addEventListener("click", scoreAll);
  place("cancel").addEventListener("click", () => stopWorker());
  place("copy-markdown").addEventListener("click", ({ target }) => copyText(asMarkdown(), target, "Copy as Markdown"));
  place("copy-latex").addEventListener("click", ({ target }) => copyText(asLatex(), target, "Copy as LaTeX"));
  place("save-result").addEventListener("click", async () => save("result.json", "application/json", await ask("result")));
  addEventListener("dragover", (event) => {
    event.preventDefault();
    root.classList.add("dropping");
  });
  addEventListener("dragleave", () => root.classList.remove("dropping"));
  addEventListener("drop", (event) => {
    event.preventDefault();
    root.classList.remove("dropping");
    if (event.dataTransfer.files.length) takeFiles([...event.dataTransfer.files]);
  });
}

startPage();
