"use strict";
(() => {
  const number = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
  const plain = text => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const valueOf = (row, at) => {
    const cell = row.cells[at];
    return cell ? (cell.dataset.v ?? cell.textContent.trim()) : "";
  };
  const compare = (a, b) => {
    const x = Number(a), y = Number(b);
    if (a !== "" && b !== "" && !Number.isNaN(x) && !Number.isNaN(y)) return x - y;
    return number.compare(a, b);
  };

  function sortBy(table, heads, at) {
    const head = heads[at];
    // Numbers are first looked at from the greatest, names from the first.
    const first = head.classList.contains("n") ? "descending" : "ascending";
    const second = first === "ascending" ? "descending" : "ascending";
    const order = head.getAttribute("aria-sort") === first ? second : first;
    heads.forEach(other => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", order);
    const sign = order === "ascending" ? 1 : -1;
    const body = table.tBodies[0];
    const rows = Array.from(body.rows, row => [valueOf(row, at), row]);
    // What is unknown comes last, whichever way it is sorted.
    rows.sort(([a], [b]) => (a === "") - (b === "") || sign * compare(a, b));
    body.append(...rows.map(([, row]) => row));
  }

  function makeSortable(table) {
    const heads = Array.from(table.tHead.rows[table.tHead.rows.length - 1].cells);
    heads.forEach((head, at) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      button.addEventListener("click", () => sortBy(table, heads, at));
      head.append(button);
    });
  }

  function filterRows(table, query, status) {
    const words = plain(query).split(/\s+/).filter(Boolean);
    let shown = 0;
    const rows = Array.from(table.tBodies[0].rows);
    for (const row of rows) {
      row.text ??= plain(row.textContent);
      row.hidden = !words.every(word => row.text.includes(word));
      shown += row.hidden ? 0 : 1;
    }
    status.textContent = words.length ? `${shown} of ${rows.length} shown` : "";
  }

  let filters = 0;
  function makeFilter(table) {
    const tools = document.createElement("div"), label = document.createElement("label");
    const input = document.createElement("input"), status = document.createElement("span");
    tools.className = "tools";
    input.type = "search";
    input.id = `filter-${++filters}`;
    input.autocomplete = "off";
    label.htmlFor = input.id;
    label.textContent = `Filter ${table.dataset.filter}`;
    status.setAttribute("role", "status");
    status.className = "soft";
    const refilter = () => filterRows(table, input.value, status);
    input.addEventListener("input", refilter);
    input.addEventListener("keydown", event => {
      if (event.key === "Escape") { input.value = ""; refilter(); }
    });
    tools.append(label, input, status);
    (table.closest(".scroll") ?? table).before(tools);
  }

  function openTarget() {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    if (target) target.scrollIntoView();
  }

  function prepare() {
    document.querySelectorAll("table[data-sort]").forEach(makeSortable);
    document.querySelectorAll("table[data-filter]").forEach(makeFilter);
  }

  prepare();
  addEventListener("hashchange", openTarget);
  openTarget();
  addEventListener("keydown", event => {
    const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName ?? "");
    const filter = document.querySelector(".tools input");
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && filter) {
      event.preventDefault();
      filter.focus();
    }
  });
})();
