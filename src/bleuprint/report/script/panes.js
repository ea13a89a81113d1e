// Report and segments: side by side where there is room, else one at a time; keys; the drawer and the sheet.

const root = document.documentElement;
const narrow = window.matchMedia("(max-width: 71.99rem)");

function showSegments() {
  root.classList.remove("alone");
  root.classList.add("browsing");
  namePanes();
  drawRows();
  if (narrow.matches) scrollTo(0, 0);
}

function showReport() {
  root.classList.remove("browsing");
  namePanes();
}

function namePanes() {
  const browsing = root.classList.contains("browsing");
  place("to-report").ariaPressed = String(!browsing);
  place("to-segments").ariaPressed = String(browsing);
  place("show-segments").ariaExpanded = String(!root.classList.contains("alone"));
}

// How many segments a choice in a chart leaves is told where the other pane is out of sight.
function nameSwitch() {
  const all = data.texts.length.toLocaleString("en");
  place("to-segments").textContent = place("clear").hidden ? `${all} segments` : `${found.length.toLocaleString("en")} of ${all} segments`;
}

function bindPanes() {
  let before = 0;
  place("to-segments").addEventListener("click", () => {
    before = scrollY;
    showSegments();
  });
  place("to-report").addEventListener("click", () => {
    showReport();
    scrollTo(0, before);
  });
  place("show-segments").addEventListener("click", () => {
    root.classList.toggle("alone");
    namePanes();
    drawRows();
  });
  // A link to a section leads back to the report.
  for (const link of document.querySelectorAll('a[href^="#"]')) link.addEventListener("click", showReport);
  for (const link of document.querySelectorAll('nav a[href="#segments"]')) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      showSegments();
      place("list").focus();
    });
  }
}

function bindDialogs() {
  const drawer = place("drawer");
  for (const link of document.querySelectorAll("a.about")) {
    link.addEventListener("click", (event) => {
      const card = document.querySelector(link.getAttribute("href"));
      if (!card) return;
      event.preventDefault();
      const close = element("button", "close", "close");
      close.type = "button";
      const shown = card.cloneNode(true);
      shown.removeAttribute("id");
      drawer.replaceChildren(shown, close);
      close.addEventListener("click", () => drawer.close());
      drawer.showModal();
    });
  }
  place("sheet").querySelector(".close").addEventListener("click", () => place("sheet").close());
  for (const dialog of [drawer, place("sheet")]) {
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) dialog.close();
    });
  }
  place("help").addEventListener("click", () => place("sheet").showModal());
}

const SHORTCUTS = {
  "?": () => place("sheet").showModal(),
  "/": () => {
    showSegments();
    place("search").focus();
  },
  s: () => {
    showSegments();
    place("list").focus();
  },
  r: () => showReport(),
  Escape: () => showReport(),
  j: () => step(1),
  k: () => step(-1),
  x: () => state.second !== null && set({ first: state.second }),
  c: () => clearFilters(),
  l: () => document.querySelectorAll(".detail-head button")[0]?.click(),
  m: () => document.querySelectorAll(".detail-head button")[1]?.click(),
};

function bindKeys() {
  addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input, select, textarea");
    if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
    if (typing && event.key !== "Escape") return;
    if (typing) typing.blur();
    const call = data || event.key === "?" ? SHORTCUTS[event.key] : undefined;
    if (!call) return;
    event.preventDefault();
    call();
  });
}

// The section in sight is marked in the navigation.
function bindNavigation() {
  const links = new Map([...document.querySelectorAll("nav a")].map((link) => [link.getAttribute("href").slice(1), link]));
  const watcher = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        const link = links.get(entry.target.id);
        if (entry.isIntersecting) link?.setAttribute("aria-current", "true");
        else link?.removeAttribute("aria-current");
      }
    },
    { rootMargin: "-64px 0px -80% 0px" },
  );
  for (const section of document.querySelectorAll("#sections section")) watcher.observe(section);
}

// Nothing is folded away on paper.
function bindPrint() {
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not([open])")];
    for (const details of opened) details.open = true;
  });
  addEventListener("afterprint", () => {
    for (const details of opened) details.open = false;
  });
}
