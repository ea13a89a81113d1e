// Values of vectors by the npm package: a list of cases as JSON in, a list of values out; null for what it does not have.
import { readFileSync } from "node:fs";
import vectors from "../../web/npm/vectors.mjs";

const cases = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(cases.map((each) => vectors[each.metric](each) ?? null)));
