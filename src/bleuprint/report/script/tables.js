// A click on the head of a column sorts a table; a second click turns it round.

function bindTables() {
  for (const table of document.querySelectorAll("table.sortable")) {
    const heads = [...table.querySelectorAll("thead tr:first-child th")];
    heads.forEach((head, column) => {
      const button = element("button", "sort");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => sortTable(table, heads, column));
    });
  }
}

function sortTable(table, heads, column) {
  const head = heads[column];
  // The best first; names from A.
  const natural = head.dataset.higher === "1" ? "descending" : "ascending";
  const turned = natural === "ascending" ? "descending" : "ascending";
  const direction = head.ariaSort === natural ? turned : natural;
  for (const other of heads) other.removeAttribute("aria-sort");
  head.ariaSort = direction;
  const key = (row) => {
    const cell = row.cells[column];
    return cell.dataset.value === undefined ? cell.textContent : Number(cell.dataset.value);
  };
  const compared = (a, b) => (typeof a === "number" ? a - b || Number(Number.isNaN(a)) - Number(Number.isNaN(b)) : a.localeCompare(b));
  const rows = [...table.tBodies[0].rows].sort((a, b) => (direction === "ascending" ? 1 : -1) * compared(key(a), key(b)));
  table.tBodies[0].append(...rows);
}
