// How Sphinx's search ranks what it finds: how-tos before metrics, metrics before classes and functions.
// `summaries` has a sentence for each page, because Sphinx would fetch the pages, which browsers refuse for file://
// addresses. `topics` has what the home page says of each page: a page about the query comes before others.
const rank = (page) => {
  if (page.startsWith("how-to/")) return 30;
  if (page.startsWith("metrics/")) return 18;
  if (page.startsWith("cli/")) return 8;
  if (page.startsWith("reference/")) return 0;
  if (page.startsWith("project/") || ["gallery", "index", "performance"].includes(page)) return 4;
  return 22;
};
const words = (text) => ` ${text.toLowerCase().replace(/[^\p{L}\p{N}-]+/gu, " ").trim()}`;
const query = words(new URLSearchParams(location.search).get("q") ?? "");
const bonus = (page) => (query.trim() && words(topics[page] ?? "").includes(query) ? 45 : 0);

var Scorer = {
  objNameMatch: 100,
  objPartialMatch: 6,
  objPrio: {},
  objPrioDefault: 0,
  title: 30,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
  score: (result) => {
    const [page, title, anchor, description, score, , kind] = result;
    if (description === null && summaries[page]) result[3] = summaries[page];
    // A title that has the query inside a word only, as jiwer has wer, says no more than the text.
    const named = kind === "title" && words(title).includes(query);
    if (named) return rank(page) + (anchor ? 10 : 20 + bonus(page)) + score;
    if (kind === "title" || kind === "text") return rank(page) + bonus(page) + (kind === "title" ? 0 : score);
    // The name itself comes before pages that only mention it, unless it is a method or belongs to a drop-in.
    if (kind === "object" && score >= 100) return title.split(".").length === 2 ? 40 : 10;
    return -score / 100;
  },
};
