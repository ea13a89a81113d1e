// Scores of files by the npm package: a list of jobs as JSON in, a list of numbers out.
import { readFileSync } from "node:fs";
import * as bleuprint from "../../web/npm/index.mjs";

const lines = (path) => readFileSync(path, "utf8").replace(/\n$/, "").split("\n");
const jobs = JSON.parse(readFileSync(0, "utf8"));
const scores = jobs.map(({ metric, options, output, references }) => {
  const columns = references.map(lines);
  return bleuprint[metric](lines(output), columns[0].map((_, place) => columns.map((column) => column[place])), options).score;
});
console.log(JSON.stringify(scores));
