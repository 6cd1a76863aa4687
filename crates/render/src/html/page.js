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
    table.refilter = refilter;
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

  // A page that fills up: what changed is taken over, and everything else stays as the reader left it.
  const liveParts = page => Array.from(page.querySelectorAll("[data-live]"));
  const shape = page => JSON.stringify([
    liveParts(page).map(part => part.id).sort(),
    Array.from(page.querySelectorAll("thead"), head => head.textContent),
  ]);

  // How the tables are sorted and filtered, as what brings that back.
  function readersChoices() {
    const inputs = Array.from(document.querySelectorAll(".tools input"), (input, at) => () => {
      const own = document.querySelectorAll(".tools input")[at];
      if (own) own.value = input.value;
    });
    const tables = Array.from(document.querySelectorAll("table[data-sort]"), (table, at) => () => {
      const own = document.querySelectorAll("table[data-sort]")[at];
      const column = Array.from(table.tHead.rows[0].cells).findIndex(head => head.hasAttribute("aria-sort"));
      const order = column < 0 ? null : table.tHead.rows[0].cells[column].getAttribute("aria-sort");
      const heads = own && order ? Array.from(own.tHead.rows[0].cells) : [];
      for (let turn = 0; turn < 2 && heads[column] && heads[column].getAttribute("aria-sort") !== order; turn++) {
        sortBy(own, heads, column);
      }
    });
    return [...inputs, ...tables];
  }

  function takeOver(fresh) {
    if (shape(fresh) !== shape(document)) {
      const choices = readersChoices();
      document.getElementById("main").replaceChildren(...fresh.getElementById("main").childNodes);
      prepare();
      choices.forEach(restore => restore());
    } else {
      for (const part of liveParts(fresh)) {
        const own = document.getElementById(part.id);
        if (own.innerHTML !== part.innerHTML) own.replaceWith(part);
      }
    }
    document.querySelectorAll("table[data-filter]").forEach(table => table.refilter());
  }

  function watch(address) {
    const source = new EventSource(address);
    let busy = false, again = false;
    async function refresh() {
      again = busy;
      if (busy) return;
      busy = true;
      try {
        const answer = await fetch(location.href, { cache: "no-store" });
        if (answer.ok) takeOver(new DOMParser().parseFromString(await answer.text(), "text/html"));
      } finally {
        busy = false;
      }
      if (again) refresh();
    }
    source.addEventListener("message", event => {
      if (event.data === "end") source.close();
      refresh();
    });
    source.addEventListener("error", () => {
      const progress = document.getElementById("progress");
      if (progress) progress.textContent = "The judge does not answer: this page shows the last it said.";
    });
  }

  prepare();
  if (document.body.dataset.events) watch(document.body.dataset.events);
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
