// Tables sort by the button in a column's head; without a script they read as they are.
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const words = head.classList.contains("word");
    const [first, second] = words ? ["ascending", "descending"] : ["descending", "ascending"];
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const order = head.getAttribute("aria-sort") === first ? second : first;
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", order);
      sort(table.tBodies[0], (row) => key(row.cells[column], words), order === "ascending" ? 1 : -1);
    });
  });
}

function key(cell, words) {
  if (words) return cell.textContent.trim();
  return cell.dataset.value === undefined ? "" : Number(cell.dataset.value);
}

// Empty cells come last in either order.
function sort(body, keyOf, sign) {
  const compare = (a, b) => {
    const [left, right] = [keyOf(a), keyOf(b)];
    if (left === "" || right === "") return (left === "") - (right === "");
    return sign * (typeof left === "number" ? left - right : left.localeCompare(right));
  };
  body.append(...[...body.rows].sort(compare));
}

const others = document.getElementById("show-published");
others?.addEventListener("change", () => {
  for (const row of document.querySelectorAll("tr.published")) row.hidden = !others.checked;
});
