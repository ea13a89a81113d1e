// Sets the page going.

function bindTheme() {
  const button = place("theme");
  const dark = () => {
    const chosen = document.documentElement.dataset.theme;
    return chosen ? chosen === "dark" : window.matchMedia("(prefers-color-scheme: dark)").matches;
  };
  const name = () => {
    button.textContent = dark() ? "light" : "dark";
    button.ariaLabel = `use ${button.textContent} colors`;
  };
  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = dark() ? "light" : "dark";
    name();
  });
  name();
}

function bindCopies() {
  for (const button of document.querySelectorAll(".copy")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const code = button.closest("figure").querySelector("code");
      try {
        await navigator.clipboard.writeText(code.textContent);
        button.textContent = "copied";
      } catch {
        // Some browsers refuse in a file: then the text is chosen, ready for the keys.
        window.getSelection().selectAllChildren(code);
        button.textContent = "chosen, press Ctrl+C";
      }
      setTimeout(() => {
        button.textContent = "copy";
      }, 2000);
    });
  }
}

async function start() {
  root.classList.add("scripted");
  bindTheme();
  bindCopies();
  bindTables();
  bindCharts();
  bindDialogs();
  bindKeys();
  bindNavigation();
  bindPrint();
  if (!place("data")) return;
  if (typeof DecompressionStream === "undefined") {
    giveUp("This browser cannot unpack the segments (it lacks DecompressionStream); a newer one shows all of them.");
    return;
  }
  let read;
  try {
    read = await readData();
  } catch (error) {
    giveUp(`The segments in this file cannot be read (${error.message}).`);
    return;
  }
  bindPanes();
  startBrowser(read);
  for (const svg of document.querySelectorAll("svg[data-box]")) {
    bindScatter(svg);
    bindSides(svg);
  }
  for (const svg of document.querySelectorAll(".brush:not([data-box], .matrix)")) {
    bindPicks(svg);
    bindLegend(svg);
  }
  bindPairs();
  for (const button of document.querySelectorAll("button.go")) button.addEventListener("click", () => follow(button));
  for (const button of document.querySelectorAll(".metric")) {
    button.addEventListener("click", () => set({ metric: Number(button.dataset.metric), low: null, high: null }));
  }
  place("export").addEventListener("change", (event) => {
    if (event.target.value) exportFound(event.target.value);
    event.target.value = "";
  });
  addEventListener("popstate", openAddress);
  if (openAddress()) showSegments();
}

// Readers get the worst segments, which stand in the page as text.
function giveUp(words) {
  place("browser").remove();
  place("waiting").remove();
  root.classList.remove("scripted");
  place("static").prepend(element("p", "note", words));
}

start();
