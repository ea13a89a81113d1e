// The list of segments: search, order, filters, and only the rows that are in sight.

const ROW = 32;
const AROUND = 6; // rows beyond either end of what is in sight

const ORDERS = {
  worst: "worst first",
  best: "best first",
  difference: "largest lead first",
  behind: "largest lag first",
  place: "as in the file",
  longest: "longest first",
};

const state = { metric: 0, first: 0, second: null, order: "worst", query: "", low: null, high: null, group: null, box: null, side: null, only: null, chosen: -1 };
let data = null;
let found = [];
let searched = []; // the texts of every segment in lower case, made in slices while nothing else is to be done

function startBrowser(read) {
  data = read;
  choices("first", data.systems);
  choices("second", ["nothing", ...data.systems]);
  choices("metric", data.metrics.map((metric) => metric.name));
  for (const [number, option] of [...place("metric").options].entries()) option.hidden = !data.metrics[number].scored;
  place("second").parentElement.hidden = data.systems.length < 2;
  place("metric").parentElement.hidden = data.metrics.filter(({ scored }) => scored).length < 2;
  fillOrders();
  place("search").addEventListener("input", ({ target: { value: query } }) => whenSearched(query, () => set({ query }, "replace")));
  for (const id of ["low", "high"]) {
    place(id).addEventListener("input", (event) => set({ [id]: event.target.value === "" ? null : Number(event.target.value) / scaleOf(state.metric) }, "replace"));
  }
  place("first").addEventListener("change", (event) => set({ first: Number(event.target.value) }));
  place("metric").addEventListener("change", (event) => set({ metric: Number(event.target.value), low: null, high: null }));
  place("second").addEventListener("change", (event) => set({ second: Number(event.target.value) - 1 }));
  place("order").addEventListener("change", (event) => set({ order: event.target.value }));
  place("clear").addEventListener("click", clearFilters);
  place("list").addEventListener("scroll", drawRows, { passive: true });
  place("list").addEventListener("keydown", moveByKey);
  new ResizeObserver(drawRows).observe(place("list"));
  drawLegend();
  place("waiting").hidden = true;
  place("browser").hidden = false;
  whenSearchable(() => {});
}

// What is shown when the address says nothing: the two best systems, the worst segments first.
function firstView() {
  const [first = 0, second = null] = data.ranking;
  const metric = data.metrics.findIndex(({ scored }) => scored);
  return { ...NO_FILTER, metric, first, second, order: "worst", chosen: -1 };
}

const scaleOf = (metric) => (data.metrics[metric].percent ? 100 : 1);

const SLICE = 20; // milliseconds of work at a time
const waitingForSearch = [];

function whenSearchable(call) {
  if (searched.length === data.texts.length) return call();
  waitingForSearch.push(call);
  if (waitingForSearch.length === 1) setTimeout(makeSearchable);
  return undefined;
}

function makeSearchable() {
  const end = performance.now() + SLICE;
  while (searched.length < data.texts.length && performance.now() < end) {
    const index = searched.length;
    const [source, references, outputs] = data.texts[index];
    searched.push([nameOf(index), source ?? "", ...references.map(textOf), ...outputs.map(textOf)].join("\n").toLowerCase());
  }
  if (searched.length < data.texts.length) setTimeout(makeSearchable);
  else for (const call of waitingForSearch.splice(0)) call();
}

const wordsOf = (query) => query.trim().toLowerCase();
const STRIDE = 64; // segments between two looks at the clock
let underWay = null; // the newest search, until it has an answer
let answered = { words: "" }; // the last search, with a 1 for every segment that has its words

const searchFor = (words) => ({ words, next: 0, hits: new Uint8Array(searched.length) });

// Searches in slices, then calls; a newer search takes the place of one that is under way.
function whenSearched(query, call) {
  const asked = {};
  underWay = asked;
  whenSearchable(() => {
    if (underWay === asked) searchOn(asked, searchFor(wordsOf(query)), call);
  });
}

// Drawing the answer takes as long as a slice or two, so it is a turn of its own.
function searchOn(asked, search, call) {
  if (underWay !== asked) return;
  if (search.next < searched.length) {
    searchUntil(search, performance.now() + SLICE);
    setTimeout(searchOn, 0, asked, search, call);
    return;
  }
  underWay = null;
  answered = search;
  call();
}

function searchUntil(search, end) {
  for (; search.next < searched.length; search.next++) {
    if (search.next % STRIDE === STRIDE - 1 && performance.now() >= end) return;
    search.hits[search.next] = Number(searched[search.next].includes(search.words));
  }
}

function hitsOf(words) {
  if (answered.words !== words) {
    answered = searchFor(words);
    searchUntil(answered, Infinity);
  }
  return answered.hits;
}

// A segment goes by its id where it has one.
const nameOf = (index) => (data.ids ? data.ids[index] : String(index + 1));

function choices(id, names) {
  place(id).replaceChildren(
    ...names.map((name, number) => {
      const option = element("option", "", name);
      option.value = number;
      return option;
    }),
  );
}

function fillOrders() {
  const pair = ["difference", "behind"];
  for (const [value, name] of Object.entries(ORDERS)) {
    if (data.systems.length < 2 && pair.includes(value)) continue;
    const option = element("option", "", name);
    option.value = value;
    place("order").append(option);
  }
}

// Every change of what is shown goes through here. `entry` says what becomes of the address: "push", "replace", "keep".
function set(change, entry = "push") {
  const before = state.first;
  if (change.query !== undefined) underWay = null;
  Object.assign(state, change);
  // A system is never shown beside itself: the one it takes the place of moves to the other side.
  if (state.second === state.first) state.second = before === state.first ? null : before;
  if (state.second !== null && state.second < 0) state.second = null;
  place("first").value = state.first;
  place("second").value = state.second === null ? 0 : state.second + 1;
  place("metric").value = state.metric;
  place("order").value = state.order;
  for (const id of ["low", "high"]) {
    const shown = state[id] === null ? "" : String(Number((state[id] * scaleOf(state.metric)).toFixed(6)));
    if (shown === "" || Number(place(id).value) !== Number(shown)) place(id).value = shown;
  }
  if (!underWay && place("search").value !== state.query) place("search").value = state.query;
  filter();
  drawChips();
  markCharts();
  if (change.chosen === undefined) place("list").scrollTop = 0;
  const kept = found.includes(state.chosen) && (change.order === undefined || change.chosen !== undefined);
  choose(kept ? state.chosen : (found[0] ?? -1), entry);
}

function filter() {
  const tests = [];
  const values = data.scores[state.metric][state.first];
  const within = (row, low, high) => (index) => (low === null || row[index] >= low) && (high === null || row[index] < high || (row[index] === high && high >= 1));
  if (state.low !== null || state.high !== null) tests.push(within(values, state.low, state.high));
  if (state.group) tests.push((index) => state.group.buckets.has(data.groups[state.group.group].of[index]));
  if (state.only) tests.push((index) => state.only.ids.has(index));
  if (state.box) {
    for (const { metric, system, low, high } of [state.box.x, state.box.y]) tests.push(within(data.scores[metric][system], low, high));
  }
  if (state.side) tests.push((index) => state.side.ids.has(index));
  const words = wordsOf(state.query);
  if (words) {
    const hits = hitsOf(words);
    tests.push((index) => hits[index] === 1);
  }
  found = [];
  for (let index = 0; index < data.texts.length; index++) if (tests.every((test) => test(index))) found.push(index);
  sortFound(values);
  place("found").textContent = `${found.length.toLocaleString("en")} of ${data.texts.length.toLocaleString("en")} segments`;
  place("rows").style.height = `${found.length * ROW}px`;
}

function sortFound(values) {
  const upwards = data.metrics[state.metric].higher ? 1 : -1;
  const other = data.scores[state.metric][state.second ?? state.first];
  const lead = (index) => upwards * (values[index] - other[index]);
  const size = (index) => textOf(data.texts[index][2][state.first]).length;
  const keys = { worst: (i) => upwards * values[i], best: (i) => -upwards * values[i], difference: (i) => -lead(i), behind: lead, longest: (i) => -size(i) };
  const key = keys[state.order];
  if (!key || !values.length) return;
  const weights = new Float64Array(data.texts.length);
  for (const index of found) weights[index] = key(index);
  found.sort((a, b) => weights[a] - weights[b] || a - b);
}

function drawRows() {
  const list = place("list");
  const begin = Math.max(0, Math.floor(list.scrollTop / ROW) - AROUND);
  const end = Math.min(found.length, Math.ceil((list.scrollTop + list.clientHeight) / ROW) + AROUND);
  place("rows").replaceChildren(...found.slice(begin, end).map((index, place) => row(index, begin + place)));
}

function row(index, position) {
  const made = element("div", "row");
  made.role = "option";
  made.id = `row-${index}`;
  made.dataset.segment = index;
  made.style.top = `${position * ROW}px`;
  made.ariaSelected = String(index === state.chosen);
  made.ariaSetSize = String(found.length);
  made.ariaPosInSet = String(position + 1);
  made.append(element("span", "place", nameOf(index)));
  const values = element("span", "values");
  values.append(element("b", "", digits(data.scores[state.metric][state.first][index], state.metric)));
  if (state.second !== null) values.append(` · ${digits(data.scores[state.metric][state.second][index], state.metric)}`);
  const begin = element("span", "begin", Array.from(textOf(data.texts[index][2][state.first]).slice(0, 240)).slice(0, 120).join(""));
  begin.dir = "auto";
  begin.translate = false;
  made.append(begin, values);
  made.addEventListener("click", () => choose(index, "push"));
  return made;
}

function choose(index, entry = "replace") {
  state.chosen = index;
  address(entry);
  const list = place("list");
  if (index < 0) {
    place("detail").replaceChildren(element("p", "who", "No segments match. Remove a filter to see more."));
    list.removeAttribute("aria-activedescendant");
    drawRows();
    return;
  }
  const top = found.indexOf(index) * ROW;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + ROW > list.scrollTop + list.clientHeight) list.scrollTop = top + ROW - list.clientHeight;
  drawRows();
  list.setAttribute("aria-activedescendant", `row-${index}`);
  showSegment(data, index, state.first, state.second);
}

function moveByKey(event) {
  const page = Math.max(1, Math.floor(place("list").clientHeight / ROW) - 1);
  const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -found.length, End: found.length };
  if (steps[event.key] === undefined) return;
  step(steps[event.key]);
  event.preventDefault();
}

function step(rows) {
  if (!found.length) return;
  choose(found[Math.min(Math.max(found.indexOf(state.chosen) + rows, 0), found.length - 1)]);
}

function drawLegend() {
  const legend = place("legend");
  const { orders, metric, copies, tokenizer } = data.marking;
  const compared = data.texts.some(([, references]) => references.length > 0);
  for (let order = 1; compared && order <= orders; order++) legend.append(sample(`t m${shade(order, orders)}`, `${order}`, order === 1 ? "match of 1 token" : `of ${order}`));
  if (compared) legend.append(sample("t extra", "word", "in no reference"), sample("t missing", "word", "missing from the output"));
  if (copies !== null && data.texts.some(([source]) => source !== null)) legend.append(sample("t copied", "word", `also in the source: ${copies} subtracts these`));
  if (data.systems.length > 1) legend.append(sample("t differs", "word", "differs from the system beside it"));
  const counted = metric === null ? `Words by the tokenizer ${tokenizer}; the scores of this page may count others.` : `These are the matches that ${metric} counts (tokenizer ${tokenizer}).`;
  legend.append(element("span", "", counted));
}

function sample(kind, word, text) {
  const made = element("span");
  made.append(element("span", kind, word), ` ${text}`);
  return made;
}
