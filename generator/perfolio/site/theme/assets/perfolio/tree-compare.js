/* The difference of a call tree to that of another run in the same site.
 *
 * ../runs.js lists the runs (generator/perfolio/pipeline/shared_pages.py); the tree of another is the chart of its report,
 * loaded when a reader asks for it. All is percent of each run's own total. A change is of what a
 * context takes itself, so that changes add up; frames are coloured by the change of all below.
 */
(function () {
  "use strict";

  const perfolio = window.perfolio;
  if (perfolio.compareTrees) return;

  const { element, sums } = perfolio;
  const { cost, frames, legend, percent, table } = perfolio.treeParts;
  const LEAST = 0.5; // points of change from which on a share grew or shrank
  const MOST = 10; // rows of a table
  const LEVELS = 30; // of an icicle, as in icicle.py
  const FATES = ["grew", "shrank", "same", "new"]; // as the theme's colours
  const trees = new Map();

  const slug = () => new URL(".", document.baseURI).pathname.split("/").filter(Boolean).pop();
  const points = (value) => (value < 0 ? "−" : "+") + Math.abs(value).toFixed(2);

  /** The specification of the same chart in another report: its script takes the name of ours. */
  function specOf(run, chart) {
    const at = run + "/" + chart;
    if (!trees.has(at)) {
      const ours = perfolio.specs[chart];
      trees.set(at, perfolio.load(new URL(`../${run}/charts/${chart}.js`, document.baseURI).href).then(() => {
        const found = perfolio.specs[chart];
        perfolio.specs[chart] = ours;
        perfolio.unpack(found);
        return found;
      }));
    }
    return trees.get(at);
  }

  class Difference {
    constructor(tree, others) {
      this.tree = tree;
      const mine = (perfolio.runs || []).find((run) => run.slug === slug());
      const options = others.map((run) => {
        const before = mine && mine.before === run.slug;
        return element("option", { value: run.slug, selected: before }, run.title + (before ? " (the run before)" : ""));
      });
      this.choice = element("select", {}, options);
      this.choice.addEventListener("change", () => this.draw());
      this.told = element("p", { className: "pf-note" });
      this.told.setAttribute("role", "status");
      this.picture = element("div", { className: "pf-frames" });
      this.tables = element("div", {});
      this.panel = element("details", { className: "pf-unfold pf-difference" }, element("summary", {}, "Difference to another run"),
        element("label", { className: "pf-filter" }, "The other run ", this.choice), this.told, this.picture, this.tables);
      this.panel.addEventListener("toggle", () => this.draw());
      tree.figure.append(this.panel);
    }

    async draw() {
      if (!this.panel.open) return;
      const { figure, meta } = this.tree;
      const other = await specOf(this.choice.value, figure.dataset.chart);
      const its = other.usermeta.perfolioZoom.tree;
      this.picture.replaceChildren();
      this.tables.replaceChildren();
      if (its.words !== meta.tree.words || its.unit !== meta.tree.unit) {
        this.told.textContent = `No difference: the other tree is of ${its.words}, this one of ${meta.tree.words}.`;
        return;
      }
      const all = sums.difference(this.tree.of, sums.tree(other), LEAST);
      this.told.textContent = `In percent of each run's own ${its.words}: ${cost(100, meta.tree)} here, ${cost(100, its)} there. ` +
        "A share also grows where others shrink. Trees leave out frames below 0.1 %, so a context of one run may have had less than that in the other.";
      this.tables.append(...this.changes(all));
      await this.icicle(all);
    }

    /** This run's tree, each frame in the colour of what became of its share. */
    async icicle(all) {
      const { figure, meta } = this.tree;
      const here = all.filter((each) => each.here && each.level < LEVELS);
      const rows = here.map((each) => {
        const change = each.there ? each.here.total - each.there.total : 0;
        const told = { grew: points(change) + " ", shrank: points(change) + " ", same: "", new: "new: " }[each.fate];
        return {
          ...each.about, left: each.left, right: each.right, level: each.level, code: each.code, hot: 0,
          label: told + each.about.label, group: FATES.indexOf(each.fate), pale: meta.tree.changes[FATES.indexOf(each.fate)].pale,
          share: each.there ? `${percent(each.here.total)}, in the other run ${percent(each.there.total)}` : `${percent(each.here.total)}, not in the other run`,
          cost: cost(each.here.total, meta.tree),
        };
      });
      const view = await frames(this.picture, figure, {
        rows, levels: 1 + Math.max(...rows.map((row) => row.level)), title: `Share of ${meta.tree.words} (%)`, colour: "change",
        about: "This run's call tree, coloured by the change of each share. The table below has the numbers.",
        range: { domain: FATES.map((_, at) => at), range: "diverging" },
      });
      this.picture.prepend(legend(meta.tree.changes, "diverging"));
      view.view.addEventListener("click", (event, item) => {
        if (item && item.datum && item.datum.right) this.enlarge(view.view, item.datum);
      });
      view.view.addEventListener("dblclick", () => this.enlarge(view.view, { left: 0, right: 100 }));
    }

    enlarge(view, { left, right }) {
      view.signal("begin", left).signal("end", right).runAsync();
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
      const inner = [element("code", { className: "pf-name", title: path.join(" › ") }, about.label)];
      if (callers) inner.push(element("span", { className: "pf-callers" }, (path.length > 4 ? "… " : "") + callers));
      return element("span", {}, inner);
    }
  }

  /** Offer a difference where the site has another run with this tree. */
  perfolio.compareTrees = function (tree) {
    const others = (perfolio.runs || []).filter((run) => run.slug !== slug() && run.trees[tree.meta.key] === tree.meta.tree.unit);
    if (others.length) tree.difference = new Difference(tree, others);
  };
})();
