/* Beside a call tree: the key of its colours, and callers and callees of a function (sandwich).
 *
 * zoom.js loads this for a chart whose meta has `tree`, and calls perfolio.tree when it was drawn.
 * All is derived from the data that the chart has (tree-sums.js); tree-compare.js adds other runs.
 * An address may name a function: #cpu=of:NAME (key of the chart, then the name).
 */
(function () {
  "use strict";

  const perfolio = window.perfolio;
  if (perfolio.tree) return;

  const MOST = 15; // rows of a table
  const FRAME = 22; // height of a row of frames

  /** An element with properties and content: words, elements, or lists of them. */
  function element(name, properties, ...content) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...content.flat());
    return made;
  }

  const percent = (value) => (value > 0 && value < 0.01 ? "<0.01 %" : value.toFixed(value === 0 ? 0 : value < 1 ? 2 : 1) + " %");

  /** An amount in percent of the run, in its unit. */
  function cost(value, { total, unit }) {
    const amount = (value / 100) * total;
    const [size, symbol] = unit !== "s" ? [1, unit === "1" ? "" : unit]
      : [[1, "s"], [1e-3, "ms"], [1e-6, "µs"], [1e-9, "ns"]].find(([each]) => amount >= each) || [1, "s"];
    return (amount / size).toLocaleString("en", { maximumSignificantDigits: 4 }) + (symbol && "\u00a0" + symbol);
  }

  /** A table: heads and rows of cells; columns whose head begins with # are numbers. */
  function table(caption, heads, rows) {
    const cell = (name, content, at) =>
      element(name, { className: heads[at][0] === "#" ? "r" : "", ...(name === "th" && { scope: "col" }) }, content);
    const head = element("tr", {}, heads.map((each, at) => cell("th", each.replace("#", ""), at)));
    const body = rows.map((row) => element("tr", {}, row.map((each, at) => cell("td", each, at))));
    const box = element("div", { className: "md-typeset__scrollwrap" }, element("div", { className: "md-typeset__table" },
      element("table", {}, element("caption", {}, caption), element("thead", {}, head), element("tbody", {}, body))));
    perfolio.reach(box);
    return box;
  }

  /** The key of colours: a word for each, and `kind` names the theme's colours. */
  function legend(groups, kind) {
    const scheme = document.body.getAttribute("data-md-color-scheme") === "slate" ? "dark" : "light";
    const colours = perfolio.themes[scheme].range[kind];
    return element("ul", { className: "pf-legend" }, groups.map((group, at) => {
      const swatch = element("span", { className: "pf-swatch" });
      swatch.style.backgroundColor = colours[at];
      return element("li", {}, swatch, group.name);
    }));
  }

  /** Draw frames with the marks of a chart: rows with all that its marks read. */
  async function frames(box, figure, { rows, levels, title, about, colour, range }) {
    const spec = perfolio.specification(figure.dataset.chart);
    spec.data = { values: rows };
    spec.transform = spec.transform.filter((step) => !step.lookup && !step.filter);
    spec.height = FRAME * levels;
    spec.description = about;
    for (const part of spec.params) {
      delete part.bind;
      part.value = { find: "", colour, begin: 0, end: 100 }[part.name];
    }
    for (const { encoding } of spec.layer) {
      encoding.y.scale.domain = [levels, 0];
      if (encoding.x.axis) encoding.x.axis.title = title;
      if (range && encoding.color) encoding.color.scale = range;
    }
    const inner = element("div", {});
    inner.style.width = "100%";
    box.replaceChildren(inner);
    return perfolio.embed(inner, spec);
  }

  class CallTree {
    constructor(figure, meta) {
      this.figure = figure;
      this.meta = meta;
      this.of = perfolio.sums.tree(perfolio.specs[figure.dataset.chart]);
      this.functions = perfolio.sums.functionsOf(this.of);
      this.key = element("div", { hidden: true, className: "pf-key" });
      this.title = element("summary", {}, "Callers and callees");
      this.told = element("p", { className: "pf-note" });
      this.told.setAttribute("role", "status");
      this.picture = element("div", { className: "pf-frames" });
      this.tables = element("div", {});
      this.panel = element("details", { className: "pf-unfold pf-sandwich" }, this.title, this.told, this.picture, this.tables);
      this.panel.addEventListener("toggle", () => this.draw());
      figure.append(this.key, this.panel);
      this.address();
    }

    take(view) {
      this.view = view;
      view.addEventListener("click", (event, item) => {
        if (item && item.datum && item.datum.code !== undefined) this.pick(item.datum.code, false);
      });
      view.addSignalListener("colour", () => this.colours());
      view.addSignalListener("find", () => this.pick(-1));
      view.container().addEventListener("keydown", (event) => {
        if (event.key !== "Enter") return;
        event.preventDefault();
        this.enter();
      });
      this.colours();
      if (this.difference) this.difference.draw();
    }

    about(code) {
      return this.of.functions[code];
    }

    colours() {
      this.key.replaceChildren(legend(this.meta.tree.groups, "ordinal"));
      this.key.hidden = this.view.signal("colour") !== "module";
      this.draw();
    }

    /** The innermost function of the frame that is shown, with its callers and callees. */
    enter() {
      const [begin, end] = this.figure.perfolioPart.shown;
      const whole = (node) => Math.abs(node.edges[0] - begin) + Math.abs(node.edges[1] - end) < 2e-3;
      const shown = this.of.nodes.filter(whole).pop() || this.of.roots[0];
      this.panel.open = true;
      this.pick(shown.code);
      this.title.focus();
    }

    /** Choose a function; nothing where `code` is -1. */
    pick(code, tell = true) {
      this.code = code;
      this.title.textContent = code < 0 ? "Callers and callees" : "Callers and callees of " + this.about(code).label;
      if (tell && code >= 0) this.tell(code);
      this.draw();
    }

    /** Name the function in the address: what was enlarged just before does not replace it. */
    tell(code) {
      clearTimeout(this.figure.perfolioPart.timer);
      history.replaceState(null, "", "#" + this.meta.key + "=of:" + encodeURIComponent(this.about(code).name));
    }

    /** The function that the address names, if it does. */
    address() {
      const found = /^#([a-z]+)=of:(.+)$/.exec(location.hash);
      if (!found || found[1] !== this.meta.key) return;
      const name = decodeURIComponent(found[2]);
      const one = this.functions.find((each) => this.about(each.code).name === name);
      if (!one) return;
      this.panel.open = true;
      this.pick(one.code, false);
    }

    draw() {
      if (!this.panel.open || !this.view) return;
      clearTimeout(this.soon);
      this.soon = setTimeout(() => (this.code >= 0 ? this.drawSandwich() : this.drawFunctions()), 60);
    }

    button(code, label = this.about(code).label) {
      const made = element("button", { type: "button", className: "pf-pick", title: this.about(code).name }, label);
      made.addEventListener("click", () => { this.pick(code); this.title.focus(); });
      return made;
    }

    /** Functions to choose from: those found, or those with the most of their own. */
    drawFunctions() {
      const wanted = this.view.signal("find").toLowerCase();
      const found = this.functions.filter((each) => this.about(each.code).name.toLowerCase().includes(wanted));
      const rows = found.slice(0, MOST).map((each) =>
        [this.button(each.code), this.about(each.code).at, percent(each.own), percent(each.total)]);
      this.told.textContent = `Choose one of ${found.length} functions, or click on a frame. ` +
        `Percent of the run's ${this.meta.tree.words}; recursion counts once.`;
      this.picture.replaceChildren();
      this.tables.replaceChildren(table(found.length > MOST ? `The ${MOST} with the most of their own` : "Functions", ["Function", "Where", "#Own", "#Total"], rows));
    }

    /** The direct callers or callees, those with the most first. */
    side(caption, { children, total }) {
      const all = [...children.values()].sort((a, b) => b.total - a.total || a.code - b.code);
      const rows = all.slice(0, MOST).map((each) =>
        [this.button(each.code), cost(each.total, this.meta.tree), percent((100 * each.total) / total)]);
      if (!rows.length) rows.push([caption === "Calls" ? "nothing that is drawn" : "nothing: it is an entry point", "–", "–"]);
      const more = all.length > MOST ? `: the first ${MOST} of ${all.length}` : "";
      return table(caption + more, ["Function", "#Total", "#Of its total"], rows);
    }

    async drawSandwich() {
      const found = perfolio.sums.sandwich(this.of, this.code);
      const { rows, levels, cut } = perfolio.sums.layered(found);
      const { label } = this.about(this.code);
      const tree = this.meta.tree;
      const calls = found.calls === 1 ? "one calling context" : `${found.calls} calling contexts`;
      this.told.textContent = `Total ${percent(found.total)} of the run's ${tree.words} (${cost(found.total, tree)}), ` +
        `own ${percent(found.own)} (${cost(found.own, tree)}), from ${calls}; recursion counts once. ` +
        (cut ? `Not drawn: ${cut} small or deep frames.` : "");
      const back = element("button", { type: "button", className: "pf-pick" }, "All functions");
      back.addEventListener("click", () => { this.pick(-1); this.title.focus(); });
      this.tables.replaceChildren(this.side("Called by", found.callers), this.side("Calls", found.callees), element("p", {}, back));
      const drawn = rows.map((row) => ({ hot: 0, ...row, ...this.about(row.code), share: percent(row.total), cost: cost(row.total, tree) }));
      const view = await frames(this.picture, this.figure, {
        rows: drawn, levels, title: `Share of the total of ${label} (%)`, colour: this.view.signal("colour"),
        about: `Callers of ${label} above it, callees below, merged over ${calls}.`,
      });
      view.view.addEventListener("click", (event, item) => {
        if (item && item.datum && item.datum.code !== undefined) this.pick(item.datum.code);
      });
    }
  }

  perfolio.element = element;
  perfolio.treeParts = { cost, frames, legend, percent, table };

  /** Add to a call tree what it offers beside itself; called again when it was drawn anew. */
  perfolio.tree = async function (figure, view, meta) {
    const known = figure.perfolioTree;
    const tree = known || (figure.perfolioTree = new CallTree(figure, meta));
    tree.take(view);
    if (known) return;
    const asset = (name) => perfolio.load(new URL(name, perfolio.base).href);
    await Promise.all([asset("tree-compare.js"), perfolio.load(new URL("../runs.js", document.baseURI).href)]);
    perfolio.compareTrees(tree);
  };

  window.addEventListener("hashchange", () => {
    for (const figure of document.querySelectorAll("figure[data-zoom]")) if (figure.perfolioTree) figure.perfolioTree.address();
  });
})();
