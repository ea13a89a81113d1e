// Run the vectors against a module or a program; README.md says what either has to do.
//   node run.mjs my-metrics.mjs [METRIC ...]
//   node run.mjs --command "PROGRAM ARGUMENTS" [METRIC ...]
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { pathToFileURL } from "node:url";

const here = new URL(".", import.meta.url);
const read = (name) => JSON.parse(readFileSync(new URL(name, here), "utf8"));
const valueOf = ({ score, scores, tokens }) => score ?? scores ?? tokens;
const near = (a, b, tolerance) =>
  Array.isArray(b) ? Array.isArray(a) && a.length === b.length && b.every((each, at) => near(a[at], each, tolerance))
    : typeof b === "number" ? typeof a === "number" && Math.abs(a - b) <= tolerance : a === b;

function stop(message) {
  console.error(message);
  process.exit(2);
}

function check(file, vector, at) {
  const name = typeof vector?.id === "string" ? vector.id : `${file}, case ${at + 1}`;
  for (const field of ["level", "options", "hypotheses", "references", "expected", "tolerance", "mistakes"])
    if (vector?.[field] === undefined) stop(`${name}: the field "${field}" is missing`);
  if (valueOf(vector.expected) === undefined) stop(`${name}: nothing is expected`);
}

// What cannot be read, and what a function throws, is a value that is not right.
function attempt(task, otherwise) {
  try {
    return task();
  } catch (error) {
    return otherwise ?? String(error);
  }
}

// The lines that a program prints for these questions, and how it ended.
function ask(command, questions) {
  const input = questions.map((question) => JSON.stringify(question) + "\n").join("");
  const { stdout, status, error } = spawnSync(command, { input, encoding: "utf8", shell: true, timeout: 60000 + 1000 * questions.length });
  return [(stdout ?? "").split("\n").filter((line) => line.trim()), status === null ? String(error?.code) : `exit status ${status}`];
}

// All questions go to one process. If it stops early, the next one is asked alone, and the others go on after it.
function askAll(command, questions) {
  const lines = [];
  while (lines.length < questions.length) {
    const left = questions.slice(lines.length);
    const [found] = ask(command, left);
    if (found.length <= left.length) lines.push(...found);
    if (found.length === left.length) break;
    const [alone, ending] = ask(command, [questions[lines.length]]);
    lines.push(alone.join(" ") || `no answer, ${ending}`);
  }
  return lines.map((line) => (line.trim() === "unsupported" ? undefined : attempt(() => JSON.parse(line), line)));
}

const [target, ...rest] = process.argv.slice(2);
const command = target === "--command" ? rest.shift() : undefined;
if (!target || (target === "--command" && !command)) stop('node run.mjs MODULE.mjs [METRIC ...], or node run.mjs --command "PROGRAM" [METRIC ...]');
const module = command ? {} : (await import(pathToFileURL(target))).default;
const sentences = read("mistakes.json");
const files = readdirSync(here).filter((name) => name.endsWith(".json")).sort();
const suites = files.map((file) => ({ file, ...read(file) })).filter(({ metric, cases }) => cases && (!rest.length || rest.includes(metric)));
for (const { file, cases } of suites) cases.forEach((vector, at) => check(file, vector, at));
const questions = suites.flatMap(({ metric, cases }) => cases.map(({ id, level, options, hypotheses, references, sources }) =>
  ({ metric, id, level, options, hypotheses, references, sources })));
const values = command ? askAll(command, questions) : questions.map((question) => attempt(() => module[question.metric]?.(question)));
let failed = 0, passed = 0;
for (const { metric, cases } of suites) {
  const counts = { passed: 0, accepted: 0, failed: 0, unsupported: 0 };
  cases.forEach((vector) => {
    const { id, expected, tolerance, accepted = [], mistakes } = vector;
    const value = values.shift();
    const is = (other) => near(value, other, tolerance);
    if (value === undefined) return void counts.unsupported++;
    if (is(valueOf(expected))) return void counts.passed++;
    const choice = accepted.find((each) => is(valueOf(each)));
    if (choice) return void (counts.accepted++, console.log(`${id}: as ${choice.name}. ${choice.why}`));
    counts.failed++;
    const likely = Object.keys(mistakes).filter((mistake) => is(mistakes[mistake])).map((mistake) => sentences[metric][mistake]);
    console.log(`${id}: ${JSON.stringify(value)}, expected ${JSON.stringify(valueOf(expected))}. ${likely.join(" Or: ")}`);
  });
  failed += counts.failed;
  passed += counts.passed + counts.accepted;
  console.log(`${metric}: ${Object.entries(counts).filter(([, number]) => number).map(([name, number]) => `${number} ${name}`).join(", ")}`);
}
if (!failed && !passed) stop("no case was supported");
process.exit(failed ? 1 : 0);
