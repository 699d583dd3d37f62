/* The live call tree of a page: its frames, colours, and callers and callees of a function (sandwich).
 *
 *   <figure class="pf-chart" data-tree="charts/NAME.js" data-chart="NAME" data-zoom="KEY">
 *
 * The script (generator/perfolio/charts/tiles/tree_encoding.py), or a block of a report of one file, has
 * the tree; tree-view.js draws it, tree-pane.js moves in it, tree-compare.js adds other runs and draws trees of two sides. An
 * address names a part of the tree, #cpu=0-60 (percent), with the level of what is selected where more
 * frames have that width, #cpu=0-60;3, or a function: #cpu=of:NAME.
 */
(function () {
  "use strict";

  const perfolio = window.perfolio;
  if (perfolio.openTree) return;

  const { made, inflate, legend } = perfolio.canvas;
  const { sums } = perfolio;
  const MOST = 15; // rows of a table
  const QUIET = 250; // ms after which the address follows
  const BLOCK = "pf-tree-";
  const ADDRESS = /^#([a-z]+)=(?:(\d+\.?\d*)-(\d+\.?\d*)(?:;(\d+))?|of:(.+))$/;
  const BY_PATH = "hot path", BY_MODULE = "module";

  const percent = (value) => (value > 0 && value < 0.01 ? "<0.01 %" : value.toFixed(value === 0 ? 0 : value < 1 ? 2 : 1) + " %");

  /** An amount in its unit. */
  function cost(value, { scale, unit }) {
    const amount = value * scale;
    const [size, symbol] = unit !== "s" ? [1, unit === "1" ? "" : unit]
      : [[1, "s"], [1e-3, "ms"], [1e-6, "µs"], [1e-9, "ns"]].find(([each]) => Math.abs(amount) >= each) || [1, "s"];
    return (amount / size).toLocaleString("en", { maximumSignificantDigits: 4 }) + (symbol && "\u00a0" + symbol);
  }

  /** An amount in percent of the whole, in its unit. */
  const costOf = (total, data) => cost((total / 100) * data.whole, data);

  /** A table: heads and rows of cells; columns whose head begins with # are numbers. */
  function table(caption, heads, rows) {
    const cell = (name, content, at) =>
      made(name, { className: heads[at][0] === "#" ? "r" : "", ...(name === "th" && { scope: "col" }) }, content);
    const head = made("tr", {}, heads.map((each, at) => cell("th", each.replace("#", ""), at)));
    const body = rows.map((row) => made("tr", {}, row.map((each, at) => cell("td", each, at))));
    const box = made("div", { className: "md-typeset__scrollwrap" }, made("div", { className: "md-typeset__table" },
      made("table", {}, made("caption", {}, caption), made("thead", {}, head), made("tbody", {}, body))));
    perfolio.reach(box);
    return box;
  }

  /** What the address says of a tree: a part, or a function. */
  function readAddress(key) {
    const found = ADDRESS.exec(location.hash);
    if (!found || found[1] !== key) return null;
    if (found[5] === undefined) return { part: [Number(found[2]), Number(found[3])], level: found[4] === undefined ? -1 : Number(found[4]) };
    try { return { name: decodeURIComponent(found[5]) }; } catch { return null; }
  }

  /** Frames whose parts an address names. */
  class AddressedPane extends perfolio.FramePane {
    /** Show what the address names; false where that is nothing here. */
    openAddress() {
      const told = readAddress(this.data.key);
      if (!told) return false;
      if (told.name !== undefined) return this.openFunction ? this.openFunction(told.name) : false;
      const [begin, end] = told.part;
      if (!(begin < end) || begin >= 100) return false;
      this.show(begin, end, false);
      const around = this.view.around(begin, end);
      if (around.length && !this.isWhole()) this.pick(around[told.level] || around[around.length - 1]);
      return true;
    }

    tell() {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.address(), QUIET);
    }

    address() {
      const edge = (value) => value.toFixed(9).replace(/\.?0+$/, "");
      const one = this.view.picked, around = this.view.around(...this.view.shown), at = around.indexOf(one);
      const level = at >= 0 && at < around.length - 1 ? `;${at}` : "";
      history.replaceState(null, "", this.isWhole() ? "#" + this.figure.id : `#${this.data.key}=${this.view.shown.map(edge).join("-")}${level}`);
    }
  }

  class CallTree extends AddressedPane {
    constructor(figure, data) {
      super(figure, figure.querySelector(".pf-live"), data.what);
      this.data = data;
      this.of = sums.tree(data);
      this.functions = sums.functionsOf(this.of);
      this.code = sums.FOLDED;
      this.box.setAttribute("aria-label", this.box.getAttribute("aria-label") + ", c shows callers and callees");
      this.colour = this.choice("Colour", "colour", [[BY_PATH, "hot path"], [BY_MODULE, "module"]], () => this.colours());
      this.addPanel();
      this.byPath = true;
      this.start(data.colours.found);
      this.colours();
      this.openAddress();
    }

    addPanel() {
      this.title = made("summary", {}, "Callers and callees");
      this.told = this.status("pf-note");
      this.picture = made("div", { className: "pf-frames" });
      this.tables = made("div", {});
      this.panel = made("details", { className: "pf-unfold pf-sandwich" }, this.title, this.told, this.picture, this.tables);
      this.panel.addEventListener("toggle", () => this.drawPanel());
      this.figure.append(this.panel);
    }

    frames() { return sums.frames(this.of.roots, (node) => node.total); }

    about(code) { return this.of.functions[code] || sums.SMALL; }

    name(frame) { return this.about(frame.node.code).name || this.label(frame); }

    label({ node }) {
      return node.folded ? `${node.folded.toLocaleString("en")} smaller callee${node.folded > 1 ? "s" : ""}` : this.about(node.code).label;
    }

    fillOf({ node }) {
      const { colours } = this.data;
      if (node.folded) return "";
      return this.byPath ? (node.hot ? colours.hot : colours.frame) : colours.groups[this.about(node.code).group];
    }

    isBold({ node }) { return this.byPath && node.hot; }

    facts(frame) {
      const { node, up } = frame, { data } = this, { at } = this.about(node.code);
      const whole = up ? `, ${percent((100 * node.total) / up.node.total)} of its caller` : "";
      const facts = [["Total", `${cost(node.value, data)}, ${percent(node.total)} of all ${data.words}${whole}`]];
      if (!node.folded) facts.push([data.cut ? "Own, with callees below 0.1 %" : "Own", `${costOf(node.own, data)}, ${percent(node.own)}`]);
      if (at) facts.push(["Where", at]);
      return facts;
    }

    keys() { return { ...super.keys(), c: () => this.openPanel() }; }

    chose({ node }) { this.choose(node.code, false); }

    searched() { if (this.code < 0) this.drawPanel(); else this.choose(sums.FOLDED); }

    colours() {
      const { groups, colours } = this.data;
      this.legend.replaceChildren(...legend(groups.map((name, at) => [colours.groups[at], name])));
      this.byPath = this.colour.value === BY_PATH;
      this.legend.hidden = this.byPath;
      this.view.ask();
      this.drawPanel();
    }

    recolour() {
      super.recolour();
      this.drawPanel();
      if (this.difference) this.difference.draw();
    }

    /** Callers and callees of the selected function, or of the one that is enlarged. */
    openPanel() {
      const frame = this.view.picked || this.path().pop() || this.all[0];
      this.panel.open = true;
      this.choose(frame.node.code);
      this.title.focus();
    }

    /** Choose a function; nothing where `code` is -1. */
    choose(code, tell = true) {
      this.code = code;
      this.title.textContent = code < 0 ? "Callers and callees" : "Callers and callees of " + this.about(code).label;
      if (tell && code >= 0) this.tellFunction(code);
      this.drawPanel();
    }

    /** Name the function in the address: what was enlarged just before does not replace it. */
    tellFunction(code) {
      clearTimeout(this.timer);
      history.replaceState(null, "", "#" + this.data.key + "=of:" + encodeURIComponent(this.about(code).name));
    }

    openFunction(name) {
      const one = this.functions.find((each) => this.about(each.code).name === name);
      if (!one) return false;
      this.panel.open = true;
      this.choose(one.code, false);
      return true;
    }

    drawPanel() {
      if (!this.panel.open) return;
      clearTimeout(this.soon);
      this.soon = setTimeout(() => (this.code >= 0 ? this.drawSandwich() : this.drawFunctions()), 60);
    }

    pickButton(code) {
      const about = this.about(code);
      if (code < 0) return made("span", {}, about.label);
      const one = made("button", { type: "button", className: "pf-pick", title: about.name }, about.label);
      one.addEventListener("click", () => { this.choose(code); this.title.focus(); });
      return one;
    }

  /** Functions to choose from: those found, or those with the most of their own. */
    drawFunctions() {
      const wanted = this.words.value.trim().toLowerCase();
      const found = this.functions.filter((each) => this.about(each.code).name.toLowerCase().includes(wanted));
      const rows = found.slice(0, MOST).map((each) =>
        [this.pickButton(each.code), this.about(each.code).at, percent(each.own), percent(each.total)]);
      this.told.textContent = `Choose one of ${found.length} functions, or click on a frame. ` +
        `Percent of the run's ${this.data.words}; recursion counts once.`;
      this.picture.replaceChildren();
      this.tables.replaceChildren(table(found.length > MOST ? `The ${MOST} with the most of their own` : "Functions", ["Function", "Where", "#Own", "#Total"], rows));
    }

    /** The direct callers or callees, those with the most first. */
    side(caption, { children, total }) {
      const all = [...children.values()].sort((a, b) => b.total - a.total || a.code - b.code);
      const rows = all.slice(0, MOST).map((each) =>
        [this.pickButton(each.code), costOf(each.total, this.data), percent((100 * each.total) / total)]);
      if (!rows.length) rows.push([caption === "Calls" ? "nothing that is drawn" : "nothing: it is an entry point", "–", "–"]);
      const more = all.length > MOST ? `: the first ${MOST} of ${all.length}` : "";
      return table(caption + more, ["Function", "#Total", "#Of its total"], rows);
    }

    drawSandwich() {
      const found = sums.sandwich(this.of, this.code);
      const { rows, levels, cut } = sums.layered(found);
      const { label } = this.about(this.code), { data } = this;
      const calls = found.calls === 1 ? "one calling context" : `${found.calls} calling contexts`;
      this.told.textContent = `Total ${percent(found.total)} of the run's ${data.words} (${costOf(found.total, data)}), ` +
        `own ${percent(found.own)} (${costOf(found.own, data)}), from ${calls}; recursion counts once. ` +
        (cut ? `Not drawn: ${cut} small or deep frames.` : "");
      const back = made("button", { type: "button", className: "pf-pick" }, "All functions");
      back.addEventListener("click", () => { this.choose(sums.FOLDED); this.title.focus(); });
      this.tables.replaceChildren(this.side("Called by", found.callers), this.side("Calls", found.callees), made("p", {}, back));
      const as = (row) => ({ node: { code: row.code, folded: 0, hot: !!row.hot } });
      this.still = perfolio.frames.stillFrames(this.picture, `Callers of ${label} above it, callees below, merged over ${calls}, in ${levels} levels.`, {
        rows, fillOf: (row) => (row.code < 0 ? "" : this.fillOf(as(row))), label: (row) => this.about(row.code).label, isBold: (row) => this.isBold(as(row)),
        tip: (row) => ({ title: this.about(row.code).name || sums.SMALL.label, Total: `${costOf(row.total, data)}, ${percent((100 * row.total) / found.total)} of the total of ${label}`, Where: this.about(row.code).at || undefined }),
        chosen: (row) => { if (row.code >= 0) this.choose(row.code); },
      });
    }
  }

  perfolio.treeParts = { AddressedPane, cost, costOf, percent, table };

  /** The data of a tree, from the script of a chart or from a block of the page, once. */
  perfolio.readTree = async function (data) {
    if (typeof data.nodes === "string") Object.assign(data, JSON.parse(new TextDecoder().decode(await inflate(data.nodes))));
    return data;
  };

  async function find(figure) {
    const { chart, tree } = figure.dataset, block = document.getElementById(BLOCK + chart);
    if (block) return perfolio.readTree(JSON.parse(block.textContent));
    await perfolio.load(new URL(tree, document.baseURI).href);
    return perfolio.readTree(perfolio.trees[chart]);
  }

  /** Make a figure live; where that was done, take the page's present colours. */
  perfolio.openTree = async function (figure) {
    if (figure.perfolioTree) return figure.perfolioTree.recolour();
    const data = await find(figure);
    figure.classList.add("pf-hydrated");
    const tree = (figure.perfolioTree = new (data.nodes.before ? perfolio.ChangeTree : CallTree)(figure, data));
    tree.view.draw(); // now: what other charts load may keep the next frame waiting
    tree.offer();
    if (!perfolio.load || data.nodes.before) return undefined;
    await perfolio.load(new URL("../runs.js", document.baseURI).href);
    perfolio.compareTrees(tree);
    return undefined;
  };

  window.addEventListener("hashchange", () => {
    for (const figure of document.querySelectorAll("figure[data-zoom]")) if (figure.perfolioTree) figure.perfolioTree.openAddress();
  });
})();
