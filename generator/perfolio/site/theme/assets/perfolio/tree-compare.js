/* Call trees of two sides: the difference to another run of the same site, and that of a comparison.
 *
 * ../runs.js lists the runs (generator/perfolio/pipeline/shared_pages.py); the tree of another is the
 * script of its report, loaded when a reader asks for it. There all is percent of each run's own total. A
 * change is of what a context takes itself, so that changes add up; frames are coloured by the change
 * of all below. Widths are of one side, as the reader chooses: what has gone is seen on the other.
 */
(function () {
  "use strict";

  const perfolio = window.perfolio;
  if (perfolio.compareTrees) return;

  const { sums } = perfolio;
  const { made, legend } = perfolio.canvas;
  const { AddressedPane, cost, costOf, percent, table } = perfolio.treeParts;
  const LEAST = 0.5; // points of change from which on a share grew or shrank
  const MOST = 10; // rows of a table
  const FATES = ["grew", "shrank", "same", "new"]; // as the theme's colours
  const trees = new Map();

  const slug = () => new URL(".", document.baseURI).pathname.split("/").filter(Boolean).pop();
  const points = (value) => (value < 0 ? "−" : "+") + Math.abs(value).toFixed(2);

  /** The place of a change in the scale, from longer to shorter: it is part of the larger side. */
  function findStep(change, steps) {
    const at = steps.findIndex((least) => Math.abs(change) >= least);
    return at < 0 ? steps.length : change > 0 ? at : 2 * steps.length - at;
  }

  /** Frames as wide as one of two sides. */
  class TwoSides extends AddressedPane {
    addSides(sides) {
      this.width = this.choice("Width", "width", sides, () => { this.show(0, 100); this.refill(); });
    }

    /** The amount of a node at the side that widths are of, in percent. */
    amount(node) { return this.width.value === "after" ? node.after : node.before; }

    frames() { return sums.frames(this.roots, (node) => this.amount(node)); }
  }

  /** The tree of a comparison: times before and after. */
  class ChangeTree extends TwoSides {
    constructor(figure, data) {
      super(figure, figure.querySelector(".pf-live"), data.what);
      this.data = data;
      this.of = sums.tree(data);
      this.roots = this.of.roots;
      for (const node of this.of.nodes) {
        node.after = node.total;
        node.ago = node.before; // in nanoseconds
        node.before = data.before ? (100 * node.ago) / data.before : 0;
      }
      this.addSides([["after", "after"], ["before", "before"]]);
      this.legend.replaceChildren(...legend(data.changes.map((text, at) => [data.colours.changes[at], text])));
      this.legend.hidden = false;
      this.start(data.colours.found);
      this.openAddress();
    }

    name(frame) { return (this.of.functions[frame.node.code] || sums.SMALL).name || this.label(frame); }

    label({ node }) {
      return node.folded ? `${node.folded.toLocaleString("en")} smaller callee${node.folded > 1 ? "s" : ""}` : this.of.functions[node.code].label;
    }

    fillOf({ node }) {
      const { colours, steps } = this.data;
      return colours.changes[findStep((node.value - node.ago) / Math.max(node.value, node.ago, 1), steps)];
    }

    facts(frame) {
      const { value, ago } = frame.node, { data } = this, change = value - ago;
      const only = !ago ? ", only after" : !value ? ", only before" : `, ${percent((100 * Math.abs(change)) / ago)} of before`;
      const up = frame.up && frame.up.node, side = this.width.value === "after" ? value : ago;
      const around = up ? (this.width.value === "after" ? up.value : up.ago) : 0;
      return [
        ["Before", `${cost(ago, data)}, ${percent(frame.node.before)} of all`], ["After", `${cost(value, data)}, ${percent(frame.node.after)} of all`],
        ["Difference", (change > 0 ? "+" : change < 0 ? "−" : "") + cost(Math.abs(change), data) + only],
        ...(around ? [["Of its caller", `${percent((100 * side) / around)} ${this.width.value}`]] : []),
      ];
    }
  }

  /** The tree of another report: its script takes the name of ours. */
  function treeOf(run, chart) {
    const at = run + "/" + chart;
    if (!trees.has(at)) {
      const ours = perfolio.trees[chart];
      trees.set(at, perfolio.load(new URL(`../${run}/charts/${chart}.js`, document.baseURI).href).then(() => {
        const found = perfolio.trees[chart];
        perfolio.trees[chart] = ours;
        return perfolio.readTree(found);
      }));
    }
    return trees.get(at);
  }

  /** Frames of this run and of another one, in percent of each. */
  class SharedTree extends TwoSides {
    constructor(figure, host, { data, roots }) {
      super(figure, host, "Difference");
      this.data = data;
      this.roots = roots;
      this.addSides([["after", "this run"], ["before", "the other run"]]);
      const gone = "not in this run", { changes } = data.colours;
      this.legend.replaceChildren(...legend([...data.changes.map((text, at) => [changes[at], text]), [changes[1], gone]]));
      this.legend.hidden = false;
      this.start(data.colours.found);
    }

    amount(node) { const side = this.width.value === "after" ? node.here : node.there; return side ? side.total : 0; }

    tell() {} // the address is of this run's tree

    name({ node }) { return node.about.name || node.about.label; }

    label({ node }) {
      const change = node.here && node.there ? node.here.total - node.there.total : 0;
      return { grew: points(change) + " ", shrank: points(change) + " ", same: "", new: "new: ", gone: "gone: " }[node.fate] + node.about.label;
    }

    fillOf({ node }) {
      const at = FATES.indexOf(node.fate);
      return this.data.colours.changes[at < 0 ? 1 : at];
    }

    facts({ node }) {
      const side = (one, missing) => (one ? `${percent(one.total)}, own ${percent(one.own)}` : missing);
      return [
        ["This run", side(node.here, "not in this run")], ["The other run", side(node.there, "not in the other run")],
        ...(node.here && node.there ? [["Change", `${points(node.here.total - node.there.total)} points`]] : []),
        ...(node.about.at ? [["Where", node.about.at]] : []),
      ];
    }
  }

  class Difference {
    constructor(tree, others) {
      this.tree = tree;
      const mine = (perfolio.runs || []).find((run) => run.slug === slug());
      const options = others.map((run) => {
        const before = mine && mine.before === run.slug;
        return made("option", { value: run.slug, selected: before }, run.title + (before ? " (the run before)" : ""));
      });
      this.choice = made("select", {}, options);
      this.choice.addEventListener("change", () => this.draw());
      this.told = tree.status("pf-note");
      this.picture = made("div", { className: "pf-frames" });
      this.tables = made("div", {});
      this.panel = made("details", { className: "pf-unfold pf-difference" }, made("summary", {}, "Difference to another run"),
        made("label", { className: "pf-filter" }, "The other run ", this.choice), this.told, this.picture, this.tables);
      this.panel.addEventListener("toggle", () => this.draw());
      tree.figure.append(this.panel);
    }

    async draw() {
      if (!this.panel.open) return;
      const { figure, data, of } = this.tree;
      const other = await treeOf(this.choice.value, figure.dataset.chart);
      this.picture.replaceChildren();
      this.tables.replaceChildren();
      if (other.words !== data.words || other.unit !== data.unit) {
        this.told.textContent = `No difference: the other tree is of ${other.words}, this one of ${data.words}.`;
        return;
      }
      const { contexts, roots } = sums.difference(of, sums.tree(other), LEAST);
      this.told.textContent = `In percent of each run's own ${data.words}: ${costOf(100, data)} here, ${costOf(100, other)} there. ` +
        "A share also grows where others shrink." + (data.cut || other.cut ? " Trees leave out frames below 0.1 %, so a context of one run may have had less than that in the other." : "");
      this.tables.append(...this.changes(contexts));
      this.pane = new SharedTree(figure, this.picture, { data, roots });
    }

  /** The contexts whose own shares changed most, up and down. */
    changes(all) {
      const own = (side) => (side ? percent(side.own) : "not in it");
      const row = (each) => [this.context(each), points(each.change), own(each.here), own(each.there)];
      const heads = ["Calling context", "#Points", "#This run", "#Other run"];
      const part = (caption, sign) => {
        const found = all.filter((each) => sign * each.change >= 0.005).sort((a, b) => sign * (b.change - a.change)).slice(0, MOST);
        return table(caption, heads, found.length ? found.map(row) : [["none", "–", "–", "–"]]);
      };
      return [part("Largest gains of own share", 1), part("Largest losses of own share", -1)];
    }

    context({ about, path }) {
      const callers = path.slice(-4, -1).join(" › ");
      const inner = [made("code", { className: "pf-name", title: path.join(" › ") }, about.label)];
      if (callers) inner.push(made("span", { className: "pf-callers" }, (path.length > 4 ? "… " : "") + callers));
      return made("span", {}, inner);
    }
  }

  perfolio.ChangeTree = ChangeTree;

  /** Offer a difference where the site has another run with this tree. */
  perfolio.compareTrees = function (tree) {
    const others = (perfolio.runs || []).filter((run) => run.slug !== slug() && run.trees[tree.data.key] === tree.data.unit);
    if (others.length) tree.difference = new Difference(tree, others);
  };
})();
