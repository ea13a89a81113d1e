// Choosing in a chart filters the list; lists of segments open them.

const NO_FILTER = { query: "", low: null, high: null, group: null, box: null, side: null, only: null };

const clearFilters = () => set(NO_FILTER);

const amount = (value, metric) => (value === null ? "…" : String(Math.round(value * scaleOf(metric) * 1000) / 1000));

function drawChips() {
  const chips = [];
  const metric = (number) => data.metrics[number].name;
  if (state.query.trim()) chips.push([`“${state.query.trim()}”`, { query: "" }]);
  if (state.low !== null || state.high !== null) {
    chips.push([`${metric(state.metric)} of ${data.systems[state.first]}: ${amount(state.low, state.metric)} to ${amount(state.high, state.metric)}`, { low: null, high: null }]);
  }
  if (state.group) {
    const group = data.groups[state.group.group];
    chips.push([`${group.name}: ${[...state.group.buckets].map((bucket) => group.labels[bucket]).join(", ")}`, { group: null }]);
  }
  if (state.box) {
    const { x, y } = state.box;
    const range = (axis) => `${metric(axis.metric)} of ${data.systems[axis.system]} ${amount(axis.low, axis.metric)} to ${amount(axis.high, axis.metric)}`;
    chips.push([`${range(x)}, ${range(y)}`, { box: null }]);
  }
  if (state.side) chips.push([`${data.systems[state.side.system]}: ${state.side.name}`, { side: null }]);
  if (state.only) chips.push([state.only.name, { only: null }]);
  place("chips").replaceChildren(
    ...chips.map(([name, change]) => {
      const chip = element("button", "chip", `${name} ✕`);
      chip.type = "button";
      chip.ariaLabel = `remove the filter ${visible(name)}`;
      chip.addEventListener("click", () => set(change));
      return chip;
    }),
  );
  place("clear").hidden = chips.length === 0;
  nameSwitch();
}

// What is chosen stays marked in the charts it was chosen in.
function markCharts() {
  for (const pick of document.querySelectorAll(".pick")) {
    const { metric, system, low, high, group, bucket } = pick.dataset;
    const ranged = state.low !== null || state.high !== null;
    const chosen =
      group !== undefined
        ? state.group !== null && state.group.group === Number(group) && state.group.buckets.has(Number(bucket))
        : ranged &&
          Number(metric) === state.metric &&
          (system === undefined || Number(system) === state.first) &&
          (state.low === null || Number(low) >= state.low - 1e-9) &&
          (state.high === null || (high !== "" && Number(high) <= state.high + 1e-9));
    pick.classList.toggle("chosen", chosen);
    pick.setAttribute("aria-pressed", String(chosen));
  }
  for (const side of document.querySelectorAll(".side")) {
    const { system } = side.ownerSVGElement.dataset;
    const chosen = state.side?.name === side.dataset.quadrant && state.side.system === Number(system);
    side.setAttribute("aria-pressed", String(chosen));
  }
  for (const entry of document.querySelectorAll(".entry[role]")) {
    entry.setAttribute("aria-pressed", String(Number(entry.dataset.system) === state.first));
  }
  showMetric();
  if (!state.box) for (const frame of document.querySelectorAll(".frame")) frame.remove();
}

// From one bin or bucket to another; a second click on the only chosen one takes the choice back.
function pickRange(from, to, again) {
  const all = [...from.closest("svg").querySelectorAll(".pick")].filter((pick) => pick.dataset.system === from.dataset.system);
  if (!all.includes(to)) return;
  const [begin, end] = [all.indexOf(from), all.indexOf(to)].sort((a, b) => a - b);
  const range = all.slice(begin, end + 1);
  const { metric, system, group } = from.dataset;
  if (again && from === to && from.classList.contains("chosen")) {
    set(group === undefined ? { low: null, high: null } : { group: null });
  } else if (group !== undefined) {
    set({ group: { group: Number(group), buckets: new Set(range.map((pick) => Number(pick.dataset.bucket))) } });
  } else {
    const low = Number(range[0].dataset.low);
    const last = range.at(-1).dataset.high;
    const first = system === undefined ? state.first : Number(system);
    set({ metric: Number(metric), first, low: begin === 0 ? null : low, high: last === "" ? null : Number(last) });
  }
}

function bindPicks(svg) {
  const picks = [...svg.querySelectorAll(".pick")];
  let from = null;
  let moved = false;
  roving(picks);
  for (const pick of picks) {
    pick.setAttribute("role", "button");
    pick.setAttribute("aria-label", tipOf(pick));
    pick.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      pickRange(pick, pick, true);
      event.preventDefault();
    });
  }
  svg.addEventListener("pointerdown", (event) => {
    from = event.target.closest(".pick");
    moved = false;
  });
  svg.addEventListener("pointermove", (event) => {
    const to = document.elementFromPoint(event.clientX, event.clientY)?.closest(".pick");
    if (from && to && to !== from && svg.contains(to)) {
      moved = true;
      pickRange(from, to, false);
    }
  });
  svg.addEventListener("pointerup", (event) => {
    const to = event.target.closest(".pick");
    if (from && to && !moved) pickRange(from, to, true);
    from = null;
  });
  svg.addEventListener("pointerleave", () => {
    from = null;
  });
}

const numbers = (text) => text.split(" ").map(Number);

// A rectangle over a scatter plot: two ranges of scores.
function bindScatter(svg) {
  const [left, top, right, bottom] = numbers(svg.dataset.box);
  let start = null;
  const at = (event) => {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    return [Math.min(Math.max(point.x, left), right), Math.min(Math.max(point.y, top), bottom)];
  };
  const logarithmic = numbers(svg.dataset.logarithmic);
  const along = (value, from, to, ends, log) => {
    const share = (value - from) / (to - from);
    return log ? ends[0] * (ends[1] / ends[0]) ** share : ends[0] + share * (ends[1] - ends[0]);
  };
  svg.addEventListener("pointerdown", (event) => {
    start = at(event);
    svg.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  svg.addEventListener("pointermove", (event) => {
    if (start) drawFrame(svg, start, at(event));
  });
  svg.addEventListener("pointercancel", () => {
    start = null;
  });
  svg.addEventListener("pointerup", (event) => {
    if (!start) return;
    const end = at(event);
    const [small, large] = [start, end];
    start = null;
    if (Math.abs(small[0] - large[0]) < 3 || Math.abs(small[1] - large[1]) < 3) return set({ box: null });
    const [acrossSystem, upwardsSystem] = numbers(svg.dataset.systems ?? `${svg.dataset.system} ${svg.dataset.system}`);
    const axis = (metric, system, values, edge) => {
      const [low, high] = values.sort((a, b) => a - b);
      const ends = [...edge].sort((a, b) => a - b);
      // What lies beyond the scale is drawn at its end, and chosen there.
      return { metric: Number(metric), system: Number(system), low: low <= ends[0] ? null : low, high: high >= ends[1] ? null : high };
    };
    const [across, upwards] = [numbers(svg.dataset.across), numbers(svg.dataset.upwards)];
    const x = axis(svg.dataset.x, acrossSystem, [small, large].map((point) => along(point[0], left, right, across, logarithmic[0])), across);
    const y = axis(svg.dataset.y, upwardsSystem, [small, large].map((point) => along(point[1], bottom, top, upwards, logarithmic[1])), upwards);
    return set({ first: x.system, second: x.system === y.system ? state.second : y.system, box: { x, y } });
  });
}

// A shape that does something when it is clicked, for keys as well.
function bindShape(shape, name, call) {
  shape.setAttribute("role", "button");
  shape.setAttribute("tabindex", "0");
  if (name) shape.setAttribute("aria-label", name);
  shape.addEventListener("pointerdown", (event) => event.stopPropagation());
  shape.addEventListener("click", call);
  shape.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    call();
  });
}

const tipOf = (shape) => shape.querySelector("title")?.textContent ?? "";

// A cell of the matrix opens its pair, a segment that stands out opens itself.
function bindPairs() {
  for (const cell of document.querySelectorAll(".matrix .pair")) {
    bindShape(cell, tipOf(cell), () => follow(cell));
    cell.setAttribute("tabindex", "-1");
  }
  for (const svg of document.querySelectorAll(".matrix.brush")) roving([...svg.querySelectorAll(".pair")]);
  for (const point of document.querySelectorAll(".versus.brush .outlier")) {
    const [first, second] = numbers(point.ownerSVGElement.dataset.systems);
    bindShape(point, tipOf(point), () => {
      set({ ...NO_FILTER, metric: Number(point.ownerSVGElement.dataset.x), first, second, chosen: Number(point.dataset.segment) });
      showSegments();
    });
  }
}

// Of many shapes one can be reached with Tab, the others from it with the arrows.
function roving(shapes) {
  shapes.forEach((shape, index) => {
    shape.setAttribute("tabindex", index === 0 ? "0" : "-1");
    shape.addEventListener("keydown", (event) => {
      const next = shapes[index + ({ ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key] ?? NaN)];
      if (!next) return;
      shape.setAttribute("tabindex", "-1");
      next.setAttribute("tabindex", "0");
      next.focus();
      event.preventDefault();
    });
  });
}

// The names of the quadrants choose them, for those who have no pointer to drag.
function bindSides(svg) {
  const system = Number(svg.dataset.system);
  for (const side of svg.querySelectorAll(".side")) {
    bindShape(side, "", () => {
      const again = side.getAttribute("aria-pressed") === "true";
      set({ first: system, box: null, side: again ? null : sideOf(svg, side.dataset.quadrant) });
    });
  }
}

// A name in a legend shows its system in the list.
function bindLegend(svg) {
  const names = data.systems.map(visible);
  const entries = [...svg.querySelectorAll(".entry")].filter((entry) => names.includes(tipOf(entry)));
  for (const entry of entries) {
    const system = names.indexOf(tipOf(entry));
    entry.dataset.system = system;
    bindShape(entry, `list the segments of ${names[system]}`, () => set({ first: system }));
  }
  roving(entries);
}

function sideOf(svg, name) {
  const wanted = [...svg.querySelectorAll(".side")].find((side) => side.dataset.quadrant === name)?.dataset.side;
  if (wanted === undefined) return null;
  const ids = new Set([...svg.dataset.sides].flatMap((place, id) => (place === wanted ? [id] : [])));
  return { name, system: Number(svg.dataset.system), ids };
}

function drawFrame(svg, from, to) {
  for (const frame of document.querySelectorAll(".frame")) if (frame.ownerSVGElement !== svg) frame.remove();
  let frame = svg.querySelector(".frame");
  if (!frame) {
    frame = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    frame.setAttribute("class", "frame");
    svg.append(frame);
  }
  frame.setAttribute("x", Math.min(from[0], to[0]));
  frame.setAttribute("y", Math.min(from[1], to[1]));
  frame.setAttribute("width", Math.abs(from[0] - to[0]));
  frame.setAttribute("height", Math.abs(from[1] - to[1]));
}

// Segments, pairs, n-grams and duplicates that are named elsewhere on the page.
function follow(button) {
  const { segment, metric, first, second, system, words, without, group, name, order } = button.dataset;
  const beside = second === undefined ? state.second : Number(second);
  if (segment !== undefined) {
    set({ ...NO_FILTER, first: Number(first), second: beside, chosen: Number(segment) });
  } else if (words !== undefined) {
    set({ ...NO_FILTER, first: Number(system), second: beside, only: withWords(words, Number(system), without === undefined ? null : Number(without)) });
  } else if (group !== undefined) {
    const only = { name: name ?? "copies of one text", ids: new Set(numbers(group)) };
    set({ ...NO_FILTER, metric: Number(metric ?? state.metric), first: Number(system), second: beside, order: order ?? state.order, only });
  } else {
    set({ ...NO_FILTER, metric: Number(metric), first: Number(first), second: beside, order: "difference" });
  }
  showSegments();
}

// The segments of a system with these tokens in a row, however they are spaced in the text; those in which the other
// system has them too are left out.
function withWords(words, system, without = null) {
  const quotes = "(?:\"|``|'')"; // a tokenizer may have turned them round
  const escaped = (word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  const tokens = words.split(" ").map((word) => (["``", "''"].includes(word) ? quotes : escaped(word)));
  const letter = /^[\p{L}\p{N}]/u;
  const begin = letter.test(words) ? "(?<![\\p{L}\\p{N}])" : "";
  const end = letter.test(Array.from(words).at(-1)) ? "(?![\\p{L}\\p{N}])" : "";
  const wanted = new RegExp(`${begin}${tokens.join("\\s*")}${end}`, "u");
  const ids = new Set();
  data.texts.forEach(([, , outputs], index) => {
    if (wanted.test(textOf(outputs[system])) && (without === null || !wanted.test(textOf(outputs[without])))) ids.add(index);
  });
  const name = `${data.systems[system]} with “${words}”${without === null ? "" : `, not ${data.systems[without]}`}`;
  return { name, ids, words, system, without };
}

// A section shows the metric that the list has; where a section lacks it, what there is.
function showMetric() {
  for (const button of document.querySelectorAll(".metric")) button.ariaPressed = String(Number(button.dataset.metric) === state.metric);
  for (const section of document.querySelectorAll("#sections section")) {
    const blocks = [...section.querySelectorAll(".per-metric")];
    const known = blocks.some((block) => Number(block.dataset.metric) === state.metric);
    for (const block of blocks) block.classList.toggle("set-aside", known && Number(block.dataset.metric) !== state.metric);
  }
}
