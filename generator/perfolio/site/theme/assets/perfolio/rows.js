/* A table of many rows, of which a part is shown: sorted, searched and saved over all of them.
 *
 *   <div class="pf-rows" data-rows="fleet-runs.js">    its first rows as a table, for no script
 *
 * The file holds columns: cells as they are printed, and the pages that they lead to. A column that
 * stands `below` is small print in the first cell. Running this twice on a page changes nothing.
 */
(function () {
  "use strict";

  const perfolio = (window.perfolio = window.perfolio || {});
  if (perfolio.rowsStarted) return;
  perfolio.rowsStarted = true;

  const STEP = 50; // rows that are shown at first, and ten times as many with each press
  const SHORT = 24; // characters that stay on one line
  const NOTHING = "–";
  const make = (name, given = {}) => Object.assign(document.createElement(name), given);

  function read(column) {
    const { of, at, numbers, pages } = column;
    const cell = at ? (row) => of[at[row]] : (row) => of[row];
    const byRow = pages && Object.keys(pages).every((key) => /^\d+$/.test(key)) && column.title === "Run";
    let keys = null;
    const worth = (row) => {
      const text = cell(row);
      if (text === NOTHING || text === "not measured") return null;
      if (!numbers) return text;
      const found = perfolio.tables.parsed(text);
      return found ? found.value : null;
    };
    return {
      ...column, cell,
      page: (row) => (pages ? pages[byRow ? row : cell(row)] : undefined),
      key: (row) => {
        keys = keys || new Map();
        if (!keys.has(row)) keys.set(row, worth(row));
        return keys.get(row);
      },
    };
  }

  function compare(one, other) {
    if (typeof one === "number" && typeof other === "number") return one - other;
    return String(one).localeCompare(String(other), "en", { numeric: true });
  }

  /** Rows in the order of a column; those of which nothing is known last, whichever way. */
  function sorted(rows, column, way) {
    const known = rows.filter((row) => column.key(row) !== null);
    known.sort((a, b) => way * compare(column.key(a), column.key(b)));
    return known.concat(rows.filter((row) => column.key(row) === null));
  }

  function fill(td, column, row) {
    const page = column.page(row), text = column.cell(row);
    const shown = page ? make("a", { href: page }) : make("span");
    shown.textContent = text;
    if (text.length <= SHORT) shown.classList.add("pf-whole");
    td.append(shown);
  }

  function csv(columns, rows) {
    const safe = perfolio.tables.safe;
    const lines = [columns.map((each) => safe(each.title))];
    for (const row of rows) lines.push(columns.map((each) => safe(each.cell(row))));
    return lines.map((each) => each.join(",")).join("\r\n") + "\r\n";
  }

  function build(box, document_) {
    const all = Array.from({ length: document_.rows }, (_, row) => row);
    const columns = document_.columns.map(read);
    const shownColumns = columns.filter((each) => !each.below);
    const below = columns.filter((each) => each.below);
    const state = { column: null, way: 0, words: [], most: STEP };
    let texts = null;

    const table = make("table");
    const head = table.createTHead().insertRow();
    const body = table.createTBody();
    const input = make("input", { type: "search", autocomplete: "off" });
    const told = make("span", { className: "pf-count" });
    told.setAttribute("role", "status");
    const more = make("button", { type: "button", className: "pf-action" });
    const save = make("button", { type: "button", className: "pf-action", textContent: "CSV", title: "Save all rows that were found" });

    function found() {
      if (!state.words.length) return all;
      texts = texts || all.map((row) => columns.map((each) => each.cell(row)).join(" ").toLowerCase());
      return all.filter((row) => state.words.every((word) => texts[row].includes(word)));
    }

    function order() {
      const rows = found();
      return state.column ? sorted(rows, state.column, state.way) : rows;
    }

    function draw() {
      const rows = order();
      body.replaceChildren(...rows.slice(0, state.most).map((row) => {
        const tr = make("tr");
        shownColumns.forEach((column, place) => {
          const td = tr.insertCell();
          if (column.numbers) td.className = "r";
          fill(td, column, row);
          if (place === 0) for (const each of below) {
            if (each.cell(row) !== NOTHING) td.append(" ", make("span", { className: "pf-place", textContent: each.cell(row) }));
          }
        });
        return tr;
      }));
      const left = rows.length - state.most;
      told.textContent = `${Math.min(state.most, rows.length).toLocaleString("en")} of ${rows.length.toLocaleString("en")} rows`;
      more.hidden = left <= 0;
      more.textContent = `Show ${Math.min(left, 10 * STEP).toLocaleString("en")} more`;
    }

    shownColumns.forEach((column) => {
      const th = make("th");
      if (column.numbers) th.className = "r";
      const button = make("button", { type: "button", className: "pf-sort", textContent: column.title });
      const ways = column.numbers ? ["descending", "ascending"] : ["ascending", "descending"];
      button.addEventListener("click", () => {
        const next = ways[ways.indexOf(th.getAttribute("aria-sort")) + 1]; // then as it came
        head.querySelectorAll("th").forEach((each) => each.removeAttribute("aria-sort"));
        if (next) th.setAttribute("aria-sort", next);
        state.column = next ? column : null;
        state.way = next === "descending" ? -1 : 1;
        draw();
      });
      th.append(button);
      head.append(th);
    });
    input.addEventListener("input", () => {
      state.words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      state.most = STEP;
      draw();
    });
    more.addEventListener("click", () => { state.most += 10 * STEP; draw(); });
    save.addEventListener("click", () =>
      perfolio.save("runs.csv", new Blob([csv(columns, order())], { type: "text/csv" })));

    const bar = make("div", { className: "pf-tools" });
    const label = make("label", { className: "pf-filter" });
    label.append("Filter ", input);
    bar.append(label, told, save);
    const scroll = make("div", { className: "md-typeset__scrollwrap" });
    const inner = make("div", { className: "md-typeset__table" });
    inner.append(table);
    scroll.append(inner);
    const note = box.querySelector(".pf-note");
    box.replaceChildren(bar, scroll, more, ...(note ? [note] : []));
    if (note) note.firstChild.data = note.firstChild.data.replace(/^The first .*? rows\. /, "");
    draw();
  }

  for (const box of document.querySelectorAll(".pf-rows[data-rows]")) {
    perfolio.load(new URL(box.dataset.rows, document.baseURI).href).then(
      () => build(box, perfolio.fleet),
      (error) => console.info("perfolio: the first rows are kept: " + error.message));
  }
})();
