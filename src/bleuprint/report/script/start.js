// Sets the page going.

function bindTheme() {
  const button = place("theme");
  const dark = () => {
    const chosen = document.documentElement.dataset.theme;
    return chosen ? chosen === "dark" : window.matchMedia("(prefers-color-scheme: dark)").matches;
  };
  const name = () => {
    button.textContent = dark() ? "light" : "dark";
    button.ariaLabel = `use ${button.textContent} colours`;
  };
  button.hidden = false;
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
  bindTheme();
  bindCopies();
  if (!place("data")) return;
  document.documentElement.classList.add("scripted");
  if (typeof DecompressionStream === "undefined") {
    document.documentElement.classList.remove("scripted");
    const words = "This browser cannot unpack the segments (it lacks DecompressionStream); a newer one shows all of them.";
    place("static").prepend(element("p", "note", words));
    return;
  }
  try {
    startBrowser(await readData());
  } catch (error) {
    document.documentElement.classList.remove("scripted");
    place("browser").hidden = true;
    place("static").prepend(element("p", "note", `The segments in this file cannot be read (${error.message}).`));
    return;
  }
  for (const svg of document.querySelectorAll(".scatter.brush")) {
    bindScatter(svg);
    bindSides(svg);
  }
  for (const svg of document.querySelectorAll(".brush:not(.scatter)")) bindPicks(svg);
  for (const button of document.querySelectorAll("button.go")) button.addEventListener("click", () => follow(button));
  addEventListener("scroll", drawJump, { passive: true });
}

start();
