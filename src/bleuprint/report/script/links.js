// What is shown, as the fragment of the address and back: a link to it opens the same view, from a file as well.

function written() {
  const parts = new URLSearchParams();
  if (state.chosen >= 0) parts.set("segment", state.chosen + 1);
  parts.set("system", data.systems[state.first]);
  if (state.second !== null) parts.set("beside", data.systems[state.second]);
  parts.set("metric", data.metrics[state.metric].name);
  parts.set("order", state.order);
  if (state.query.trim()) parts.set("search", state.query.trim());
  if (state.low !== null) parts.set("from", state.low);
  if (state.high !== null) parts.set("to", state.high);
  if (state.group) {
    const group = data.groups[state.group.group];
    parts.set("by", group.name);
    for (const bucket of state.group.buckets) parts.append("part", group.labels[bucket]);
  }
  if (state.box) {
    for (const axis of ["x", "y"]) {
      const { metric, system, low, high } = state.box[axis];
      parts.set(axis, JSON.stringify([data.metrics[metric].name, data.systems[system], low, high]));
    }
  }
  if (state.side) parts.set("quadrant", JSON.stringify([data.systems[state.side.system], state.side.name]));
  if (state.only?.words) {
    const { system, words, without } = state.only;
    parts.set("with", JSON.stringify([data.systems[system], words, ...(without === null ? [] : [data.systems[without]])]));
  } else if (state.only) parts.set("listed", JSON.stringify([state.only.name, [...state.only.ids].map((id) => id + 1)]));
  return parts.toString();
}

// A link may be cut off or of another report: what it names and is not there is left out.
function readLink(fragment) {
  const parts = new URLSearchParams(fragment);
  const view = firstView();
  const among = (names, name, otherwise) => (names.includes(name) ? names.indexOf(name) : otherwise);
  const metrics = data.metrics.map((metric) => metric.name);
  const number = (text) => (text === null || !Number.isFinite(Number(text)) ? null : Number(text));
  const list = (name) => {
    try {
      const value = JSON.parse(parts.get(name) ?? "null");
      return Array.isArray(value) ? value : null;
    } catch {
      return null;
    }
  };
  view.first = among(data.systems, parts.get("system"), view.first);
  view.second = parts.has("beside") ? among(data.systems, parts.get("beside"), null) : parts.has("system") ? null : view.second;
  view.metric = among(metrics, parts.get("metric"), view.metric);
  if (Object.hasOwn(ORDERS, parts.get("order") ?? "")) view.order = parts.get("order");
  view.query = parts.get("search") ?? "";
  [view.low, view.high] = [number(parts.get("from")), number(parts.get("to"))];
  const group = data.groups.findIndex((entry) => entry.name === parts.get("by"));
  if (group >= 0) {
    const buckets = new Set(parts.getAll("part").map((label) => data.groups[group].labels.indexOf(label)));
    buckets.delete(-1);
    if (buckets.size) view.group = { group, buckets };
  }
  const axes = [list("x"), list("y")].map((axis) => {
    const [metric, system] = [metrics.indexOf(axis?.[0]), data.systems.indexOf(axis?.[1])];
    return metric < 0 || system < 0 ? null : { metric, system, low: number(axis[2]), high: number(axis[3]) };
  });
  if (axes.every(Boolean)) view.box = { x: axes[0], y: axes[1] };
  const side = list("quadrant");
  const plot = side && document.querySelector(`.scatter.brush[data-sides][data-system="${data.systems.indexOf(side[0])}"]`);
  if (plot) view.side = sideOf(plot, side[1]);
  const words = list("with");
  const listed = list("listed");
  if (words && data.systems.includes(words[0])) view.only = withWords(String(words[1]), data.systems.indexOf(words[0]), among(data.systems, words[2], null));
  else if (Array.isArray(listed?.[1])) view.only = { name: String(listed[0]), ids: new Set(listed[1].map((id) => id - 1)) };
  const segment = number(parts.get("segment"));
  if (Number.isInteger(segment) && segment >= 1 && segment <= data.texts.length) view.chosen = segment - 1;
  return view;
}

function address(entry) {
  if (entry === "keep") return;
  const fragment = `#${written()}`;
  if (fragment === location.hash) return;
  history[entry === "push" ? "pushState" : "replaceState"](null, "", fragment);
}

// A fragment without "=" is the name of a section and changes nothing in the list.
function openAddress() {
  const fragment = location.hash.slice(1);
  if (fragment.includes("=")) {
    const view = readLink(fragment);
    whenSearched(view.query, () => set(view, "keep"));
  } else if (fragment === "" || state.chosen < 0) set(firstView(), "keep");
  return fragment.includes("=");
}

const linkHere = () => `${location.href.split("#")[0]}#${written()}`;

function copyButton(name, text) {
  const button = element("button", "", name);
  button.type = "button";
  button.addEventListener("click", () => copyText(text(), button, name));
  return button;
}

async function copyText(text, button, name) {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "copied";
  } catch {
    // Some browsers refuse in a file: then the text stands there, chosen, ready for the keys.
    const area = element("textarea", "copied-text");
    area.value = text;
    area.ariaLabel = "text to copy";
    button.parentElement.append(area);
    area.select();
    area.addEventListener("blur", () => area.remove());
    button.textContent = "press Ctrl+C";
  }
  setTimeout(() => {
    button.textContent = name;
  }, 2000);
}
