// Choosing in a chart filters the list; lists of segments open them.

const NO_FILTER = { query: "", low: null, high: null, group: null, box: null, side: null, only: null };

const clearFilters = () => set(NO_FILTER);

const amount = (value) => (value === null ? "…" : String(Math.round(value * 1000) / 1000));

function drawChips() {
  const chips = [];
  const metric = (number) => data.metrics[number].name;
  if (state.query.trim()) chips.push([`“${state.query.trim()}”`, { query: "" }]);
  if (state.low !== null || state.high !== null) {
    chips.push([`${metric(state.metric)} of ${data.systems[state.first]}: ${amount(state.low)} to ${amount(state.high)}`, { low: null, high: null }]);
  }
  if (state.group) {
    const group = data.groups[state.group.group];
    chips.push([`${group.name}: ${[...state.group.buckets].map((bucket) => group.labels[bucket]).join(", ")}`, { group: null }]);
  }
  if (state.box) {
    const { x, y, system } = state.box;
    const range = (axis) => `${metric(axis.metric)} ${amount(axis.low)} to ${amount(axis.high)}`;
    chips.push([`${data.systems[system]}: ${range(x)}, ${range(y)}`, { box: null }]);
  }
  if (state.side) chips.push([`${data.systems[state.side.system]}: ${state.side.name}`, { side: null }]);
  if (state.only) chips.push([state.only.name, { only: null }]);
  place("chips").replaceChildren(
    ...chips.map(([name, change]) => {
      const chip = element("button", "chip", `${name} ✕`);
      chip.type = "button";
      chip.ariaLabel = `take away the filter ${visible(name)}`;
      chip.addEventListener("click", () => set(change));
      return chip;
    }),
  );
  place("clear").hidden = chips.length === 0;
  drawJump();
}

// Called while the page scrolls, so it must leave the chips alone: a button that is replaced under the pointer loses
// its click.
function drawJump() {
  const jump = place("jump");
  jump.hidden = place("clear").hidden || inSight(place("browser"));
  jump.textContent = `${found.length.toLocaleString("en")} of ${data.texts.length.toLocaleString("en")} segments chosen: show them`;
}

function inSight(node) {
  const { top, bottom } = node.getBoundingClientRect();
  return top < window.innerHeight * 0.6 && bottom > 0;
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
          Number(system) === state.first &&
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
  if (!state.box) for (const frame of document.querySelectorAll(".frame")) frame.remove();
}

// From one bin or bucket to another; a second click on the only chosen one takes the choice back.
function pickRange(from, to, again) {
  const all = [...from.closest("svg").querySelectorAll(".pick")];
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
    set({ metric: Number(metric), first: Number(system), low: begin === 0 ? null : low, high: last === "" ? null : Number(last) });
  }
}

function bindPicks(svg) {
  const picks = [...svg.querySelectorAll(".pick")];
  let from = null;
  let moved = false;
  picks.forEach((pick, index) => {
    pick.setAttribute("role", "button");
    pick.setAttribute("tabindex", index === 0 ? "0" : "-1");
    pick.setAttribute("aria-label", pick.querySelector("title")?.textContent ?? "");
    pick.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      const next = step && picks[index + step];
      if (next) {
        pick.setAttribute("tabindex", "-1");
        next.setAttribute("tabindex", "0");
        next.focus();
        event.preventDefault();
      } else if (event.key === "Enter" || event.key === " ") {
        pickRange(pick, pick, true);
        event.preventDefault();
      }
    });
  });
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
    const axis = (metric, values, edge) => {
      const [low, high] = values.sort((a, b) => a - b);
      const ends = [...edge].sort((a, b) => a - b);
      // What lies beyond the scale is drawn at its end, and chosen there.
      return { metric: Number(metric), low: low <= ends[0] ? null : low, high: high >= ends[1] ? null : high };
    };
    const [across, upwards] = [numbers(svg.dataset.across), numbers(svg.dataset.upwards)];
    const x = axis(svg.dataset.x, [small, large].map((point) => along(point[0], left, right, across, logarithmic[0])), across);
    const y = axis(svg.dataset.y, [small, large].map((point) => along(point[1], bottom, top, upwards, logarithmic[1])), upwards);
    const system = Number(svg.dataset.system);
    return set({ first: system, box: { system, x, y } });
  });
}

// The names of the quadrants choose them, for those who have no pointer to drag.
function bindSides(svg) {
  const system = Number(svg.dataset.system);
  for (const side of svg.querySelectorAll(".side")) {
    side.setAttribute("role", "button");
    side.setAttribute("tabindex", "0");
    const pick = () => {
      const ids = new Set([...svg.dataset.sides].flatMap((place, id) => (place === side.dataset.side ? [id] : [])));
      const again = side.getAttribute("aria-pressed") === "true";
      set({ first: system, box: null, side: again ? null : { name: side.dataset.quadrant, system, ids } });
    };
    side.addEventListener("pointerdown", (event) => event.stopPropagation());
    side.addEventListener("click", pick);
    side.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      pick();
      event.preventDefault();
    });
  }
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

// Segments, n-grams and duplicates that are named elsewhere on the page.
function follow(button) {
  const { segment, first, second, system, words, group } = button.dataset;
  if (segment !== undefined) {
    const beside = second === undefined ? state.second : Number(second);
    set({ ...NO_FILTER, first: Number(first), second: beside, chosen: Number(segment) });
  } else if (words !== undefined) {
    set({ ...NO_FILTER, first: Number(system), only: { name: `with “${words}”`, ids: withWords(words, Number(system)) } });
  } else {
    set({ ...NO_FILTER, first: Number(system), only: { name: "copies of one text", ids: new Set(numbers(group)) } });
  }
  place("segments").scrollIntoView();
}

// The segments of a system with these tokens in a row, however they are spaced in the text.
function withWords(words, system) {
  const quotes = "(?:\"|``|'')"; // a tokenizer may have turned them round
  const escaped = (word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  const tokens = words.split(" ").map((word) => (["``", "''"].includes(word) ? quotes : escaped(word)));
  const letter = /^[\p{L}\p{N}]/u;
  const begin = letter.test(words) ? "(?<![\\p{L}\\p{N}])" : "";
  const end = letter.test(Array.from(words).at(-1)) ? "(?![\\p{L}\\p{N}])" : "";
  const wanted = new RegExp(`${begin}${tokens.join("\\s*")}${end}`, "u");
  const ids = new Set();
  data.texts.forEach(([, , outputs], index) => {
    if (wanted.test(textOf(outputs[system]))) ids.add(index);
  });
  return ids;
}
