/* Tables of reports sort by their columns, are searched, and are saved as CSV.
 *
 *   <div class="pf-table"><table>...</table></div>     also pf-figures; pf-tree keeps its order
 *   <div class="pf-table pf-many" data-shown="25">     of which so many rows are seen until one looks for others
 *
 * Without this script they are as they were printed. A cell of numbers is worth what is printed in
 * it, `1.40 ms` less than `0.73 s`, or what its data-value says; one with a dash comes last.
 * Running this twice on a page changes nothing.
 */
(function () {
  "use strict";

  const perfolio = (window.perfolio = window.perfolio || {});
  if (perfolio.tables) return;

  const MANY = 10; // rows from which on a table can be searched
  const REACH = "600px"; // a table is made ready this far below the view
  const SEVERITIES = ["critical", "high", "medium", "low", "info", "passed", "unknown"];
  const PREFIXES = {
    "": 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15, E: 1e18, Z: 1e21, Y: 1e24,
    m: 1e-3, "µ": 1e-6, n: 1e-9, p: 1e-12,
  };
  const SCALED = /^([kMGTPEZYmµnp]?)(FLOP\/s|FLOP|B\/s|B|Hz|W|J|s)$/u;
  const NUMBER = /^(?:(?:at (?:least|most)|up to|about) )?([<>≥≤]?) ?(-?(?:∞|\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?)) ?([^\s\d(]\S*)?/iu;
  const FORMULA = /(^|[;\t\r\n])(?= *[=+\-@\t\r\n＝＋－＠])/g;

  /** What a printed number is worth: `{value, unit}` in the base unit; null where it is none. */
  function parsed(text) {
    const found = NUMBER.exec(text);
    if (!found) return null;
    const [, sign, digits, symbol = ""] = found;
    const number = digits.endsWith("∞")
      ? (digits[0] === "-" ? -Infinity : Infinity) : Number(digits.replaceAll(",", ""));
    const near = sign === "<" ? 1 - 1e-9 : sign === ">" ? 1 + 1e-9 : 1;
    if (symbol === "%") return { value: (number / 100) * near, unit: "ratio" };
    const scaled = SCALED.exec(symbol);
    if (scaled) return { value: number * PREFIXES[scaled[1]] * near, unit: scaled[2] };
    return { value: number * near, unit: symbol };
  }

  /** The words of a cell: names in full, without intervals, on one line. */
  function words(node) {
    if (node.nodeType === Node.TEXT_NODE) return node.data;
    if (node.nodeType !== Node.ELEMENT_NODE || node.matches(".pf-interval, .pf-swatch, .pf-column-title")) return "";
    if (node.matches("code[title]")) return node.title;
    if (node.localName === "br") return " ";
    const inner = [...node.childNodes].map(words).join("");
    return node.matches(".pf-place, .pf-callers, p, li, div") ? ` ${inner} ` : inner;
  }

  const plain = (cell) => words(cell).replace(/\u2060/g, "").replace(/\s+/gu, " ").trim();

  /** What a cell is ordered by: a number, or words; null where nothing is known. */
  function worth(cell, numbers) {
    if (cell.dataset.value !== undefined) return Number(cell.dataset.value);
    const badge = cell.querySelector(".pf-badge");
    const rank = badge ? SEVERITIES.findIndex((each) => badge.classList.contains("pf-" + each)) : -1;
    if (rank >= 0) return rank;
    const text = plain(cell);
    if (numbers) { const found = parsed(text); return found ? found.value : null; }
    return text === "–" ? null : text;
  }

  function compare(one, other) {
    if (typeof one === "number" && typeof other === "number") return one - other;
    return String(one).localeCompare(String(other), "en", { numeric: true });
  }

  const isOfNumbers = (head) => head.classList.contains("r") || head.style.textAlign === "right";

  /** Rows in the order of a column; those of which nothing is known last, whichever way. */
  function sorted(rows, column, numbers, way) {
    const keys = new Map(rows.map((row) => [row, worth(row.cells[column], numbers)]));
    const known = rows.filter((row) => keys.get(row) !== null);
    known.sort((a, b) => way * compare(keys.get(a), keys.get(b)));
    return known.concat(rows.filter((row) => keys.get(row) === null));
  }

  function makeSortable(table, rows) {
    const heads = [...table.tHead.rows[0].cells];
    const body = table.tBodies[0];
    heads.forEach((head, column) => {
      if (!head.textContent.trim()) return;
      const numbers = isOfNumbers(head);
      const ways = numbers ? ["descending", "ascending"] : ["ascending", "descending"];
      const button = document.createElement("button");
      button.type = "button";
      button.className = "pf-sort";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const next = ways[ways.indexOf(head.getAttribute("aria-sort")) + 1]; // then as printed
        heads.forEach((each) => each.removeAttribute("aria-sort"));
        if (next) head.setAttribute("aria-sort", next);
        const way = next === "descending" ? -1 : 1;
        body.append(...(next ? sorted(rows, column, numbers, way) : rows));
        table.dispatchEvent(new Event("pf-ordered"));
      });
    });
  }

  /** Rows after the first few, folded until they are asked for: a button, and what folds again. */
  function makeFold(table, most) {
    const body = table.tBodies[0];
    const button = document.createElement("button");
    let open = false;
    const fold = (all = false) => {
      const rows = [...body.rows].filter((row) => !row.hidden);
      [...body.rows].forEach((row) => row.classList.remove("pf-rest"));
      if (!open && !all) rows.slice(most).forEach((row) => row.classList.add("pf-rest"));
      button.hidden = all;
      button.textContent = open ? `Show ${most} rows` : `Show all ${body.rows.length} rows`;
    };
    button.type = "button";
    button.className = "pf-action";
    button.addEventListener("click", () => { open = !open; fold(); });
    table.addEventListener("pf-ordered", () => fold(button.hidden));
    fold();
    return { button, fold };
  }

  function makeFilter(rows, fold = () => {}) {
    const box = document.createElement("label");
    const input = document.createElement("input");
    const told = document.createElement("span");
    const texts = rows.map((row) => plain(row).toLowerCase());
    box.className = "pf-filter";
    input.type = "search";
    input.autocomplete = "off";
    told.className = "pf-count";
    told.setAttribute("role", "status");
    input.addEventListener("input", () => {
      const wanted = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      rows.forEach((row, at) => {
        row.hidden = !wanted.every((word) => texts[at].includes(word));
        shown += row.hidden ? 0 : 1;
      });
      told.textContent = wanted.length ? `${shown} of ${rows.length} rows` : "";
      fold(wanted.length > 0);
    });
    box.append("Filter ", input);
    return [box, told];
  }

  /** On paper: how many rows there are, where a fold or a filter keeps some from it. */
  function makePrinted(table) {
    const line = document.createElement("p");
    line.className = "pf-printed";
    line.tell = () => {
      const all = [...table.tBodies[0].rows];
      const shown = all.filter((row) => !row.hidden && !row.classList.contains("pf-rest"));
      line.textContent = shown.length < all.length ? `${shown.length} of ${all.length} rows printed.` : "";
    };
    line.tell();
    return line;
  }

  const quoted = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

  /** Text that a spreadsheet would take for a formula gets an apostrophe. */
  const safe = (text) => quoted(text.replace(FORMULA, "$1'"));

  /** A column of CSV, its title first: numbers of one unit in that unit, all else as words. */
  function column(head, cells) {
    const title = plain(head);
    const texts = cells.map(plain);
    const found = texts.map((text, at) =>
      cells[at].dataset.value !== undefined
        ? { value: Number(cells[at].dataset.value), unit: cells[at].dataset.unit || "" } : parsed(text));
    const units = new Set(found.filter(Boolean).map((each) => each.unit.replace(/s$/, "") || each.unit));
    const other = texts.some((text, at) => !found[at] && text && text !== "–" && text !== "not measured");
    if (!isOfNumbers(head) || units.size > 1 || other) return [safe(title), ...texts.map(safe)];
    const unit = (found.find(Boolean) || { unit: "" }).unit;
    const told = unit && unit !== "×" ? `${title} (${unit})` : title;
    return [safe(told), ...found.map((each) => (each ? String(Number(each.value.toPrecision(12))) : ""))];
  }

  function csv(table) {
    const rows = [...table.tBodies[0].rows].filter((row) => !row.hidden);
    const heads = [...table.tHead.rows[0].cells];
    const columns = heads.map((head, at) => column(head, rows.map((row) => row.cells[at])));
    return columns[0].map((_, at) => columns.map((each) => each[at]).join(",")).join("\r\n") + "\r\n";
  }

  /** Hand a file over that was made in the page. */
  function save(name, blob) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  /** Of the page and the heading that a table stands below. */
  function fileName(box) {
    const page = location.pathname.split("/").pop().replace(/\.html$/, "") || "index";
    const above = [...document.querySelectorAll("article :is(h1, h2, h3, h4)[id]")].filter(
      (each) => each.compareDocumentPosition(box) & Node.DOCUMENT_POSITION_FOLLOWING);
    const last = above.pop();
    return `${page}-${last ? last.id : "table"}.csv`;
  }

  function makeSaver(table, box) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "pf-action";
    button.textContent = "CSV";
    button.title = "Save the rows that are shown";
    button.addEventListener("click", () =>
      save(fileName(box), new Blob([csv(table)], { type: "text/csv" })));
    return button;
  }

  function enhance(box) {
    const table = box.querySelector("table");
    if (!table || !table.tHead || table.querySelector(".pf-sort")) return;
    const rows = [...table.tBodies[0].rows];
    if (rows.length < 2) return;
    makeSortable(table, rows);
    const bar = document.createElement("div");
    bar.className = "pf-tools";
    const folded = box.dataset.shown ? makeFold(table, Number(box.dataset.shown)) : null;
    bar.append(...(rows.length > MANY ? makeFilter(rows, folded?.fold) : []), makeSaver(table, box));
    if (folded) box.append(folded.button);
    const printed = makePrinted(table);
    for (const event of ["input", "click"]) box.addEventListener(event, printed.tell);
    box.append(printed);
    const note = box.nextElementSibling;
    if (rows.length > MANY) box.prepend(bar);
    else if (note && note.matches("p.pf-note")) note.append(" ", bar.lastChild);
    else box.append(bar);
  }

  const near = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      near.unobserve(target);
      enhance(target);
    }
  }, { rootMargin: REACH });

  perfolio.tables = { parsed, csv, safe };
  perfolio.save = save;
  document.querySelectorAll(".pf-table:not(.pf-tree), .pf-figures").forEach((box) => near.observe(box));
})();
