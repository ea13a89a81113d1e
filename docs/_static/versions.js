// A list of the versions of the manual, in the sidebar. The list is a script beside the versions: browsers load scripts
// from file:// addresses, but not data. Without the list, as in a copy of one version alone, nothing is shown.
(() => {
  const root = new URL("../", document.currentScript.src);
  const page = location.href.split(/[?#]/)[0].slice(root.href.length) || "index.html";
  const current = root.pathname.split("/").at(-2);
  const show = () => {
    const label = document.createElement("label");
    label.className = "version-switch";
    label.textContent = "Version ";
    const select = label.appendChild(document.createElement("select"));
    for (const version of Object.keys(window.bleuprintVersions)) {
      select.add(new Option(version, version, false, version === current));
    }
    select.addEventListener("change", () => {
      const there = window.bleuprintVersions[select.value].includes(page);
      location.href = new URL(`../${select.value}/${there ? page : "index.html"}`, root);
    });
    document.querySelector(".sidebar-brand")?.after(label);
  };
  const list = document.createElement("script");
  list.src = new URL("../version-list.js", root);
  list.addEventListener("load", () => {
    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", show);
    else show();
  });
  document.head.append(list);
})();
