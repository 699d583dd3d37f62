/* The live timeline of a run whose every interval is known: buttons, keys, pointers, the address.
 *
 *   <figure class="pf-chart" data-tiles="timeline/" data-places="[[name, begin, end, gap], ...]">
 *     <div class="pf-live"></div> <img class="pf-static">
 *     <span hidden class="pf-leads"><a data-name="NAME" href="kernels.html#...">...</a></span>
 *
 * Loaded by perfolio.js after timeline-tiles.js, with the other parts. Places are in seconds from where
 * the report counts. An address names a part, #t=1.5-2, and what is selected: #t=1.5-2;4;812.
 */
(function () {
  "use strict";

  const perfolio = window.perfolio;
  const tiles = perfolio.timeline;
  const QUIET = 250; // ms after which the address follows
  const SEVERAL = { kernels: "Kernels: other", any: "other" }; // groups of one colour
  const ADDRESS = /^#t=(\d+\.?\d*)-(\d+\.?\d*)(?:;(\d+);(\d+))?$/;
  const KEYS = "w and s zoom, a and d move, full stop and comma go along a row, up and down to other rows, f fits, "
    + "g goes to the launch or kernel, slash searches, n goes to the next hit, x measures, m marks, e unfolds, 0 shows all, Home the start";

  const { made } = tiles;

  class Timeline extends perfolio.canvas.Pane {
    constructor(figure) {
      super(figure);
      this.found = null;
      this.build();
      this.view.places = this.places().map(([name, begin, end, gap]) => ({ name, begin: this.time(begin), end: this.time(end), gap }));
      this.buttons();
      this.view.drawn = () => this.saySoon();
      this.marked = this.readMarks();
      this.view.marks = this.marked;
      tiles.told = () => this.view.ask();
      this.listen();
      this.listenMore();
      this.listMarks();
      if (!this.openAddress()) this.start();
      this.select(null);
    }

    places() { try { return JSON.parse(this.figure.dataset.places || "[]"); } catch { return []; } }

    time(seconds) { return Math.round(seconds * 1e9) + tiles.info.origin; }

    build() {
      this.bar.setAttribute("aria-label", "Timeline: what is shown");
      this.strip = made("canvas", { className: "pf-strip" });
      const drawn = this.makeBox("Timeline: " + KEYS);
      this.legend = made("p", { className: "pf-key pf-note" });
      this.said = this.status("pf-told");
      this.measured = this.status("pf-measured pf-note");
      this.list = made("p", { className: "pf-marks pf-note" });
      this.table = made("details", { className: "pf-unfold pf-beside" }, made("summary", { textContent: "Table of the selected row" }));
      const live = this.figure.querySelector(".pf-live");
      live.replaceChildren(made("div", { className: "pf-timeline" }, this.strip, this.box, this.legend, this.said, this.measured, this.list, this.table));
      this.figure.prepend(this.bar);
      this.view = new tiles.View(...drawn, this.strip);
    }

    /** What colours mean: those that are there, classes of one colour once. */
    fillLegend() {
      const words = new Map();
      for (const each of this.view.groups) words.set(each.fill, words.has(each.fill) ? (each.fill === tiles.fillOf("kernel") ? SEVERAL.kernels : SEVERAL.any) : each.words);
      this.legend.replaceChildren(...perfolio.canvas.legend([...words]));
    }

    buttons() {
      this.fillLegend();
      this.addMoves();
      this.button("All", () => this.show(0, tiles.info.stop), "All of the run (0)");
      for (const place of this.view.places) this.button(place.name, () => this.show(...this.around(place)));
      this.ruler = this.button("Measure", () => this.toggleRuler(), "Measure by dragging (Shift and drag; x for what is selected)");
      this.toggle(this.ruler, false);
      this.button("Mark", () => this.mark(), "Mark a moment (m)");
      if (tiles.tracks.some((track) => track.count > 6)) {
        this.unfold = this.button("Unfold", () => this.toggleFolds(), "Show all rows of each thread (e for one)");
        this.toggle(this.unfold, false);
      }
      this.button("Perfetto", () => this.save(), "Save what is shown for ui.perfetto.dev");
      this.addSearch();
    }

    /** A gap with some room at both sides; other places are shown as they are. */
    around({ begin, end, gap }) {
      const room = gap ? 0.6 * (end - begin) : 0;
      return [begin - room, end + room];
    }

    start() {
      const first = this.view.places.find((place) => !place.gap);
      this.show(...(first ? [first.begin, first.end] : [0, tiles.info.stop]), false);
    }

    show(begin, end, tell = true) {
      this.view.show(begin, end);
      if (tell) this.tell();
    }

    tell() {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.address(), QUIET);
    }

    address() {
      const [begin, end] = this.view.shown, one = this.view.picked;
      const edge = (time) => (Math.max(0, time - tiles.info.origin) / 1e9).toFixed(9).replace(/\.?0+$/, "");
      const whole = end - begin >= tiles.info.stop * 0.9999 && !one;
      const chosen = one ? `;${one.row};${one.s}` : "";
      history.replaceState(null, "", whole ? "#" + this.figure.id : `#t=${edge(begin)}-${edge(end)}${chosen}`);
    }

    /** Show what the address names; false where it names no part. */
    openAddress() {
      const found = ADDRESS.exec(location.hash);
      if (!found) return false;
      const [begin, end] = [this.time(Number(found[1])), this.time(Number(found[2]))];
      if (!(begin < end) || begin >= tiles.info.stop) return false;
      this.show(begin, end, false);
      const row = Number(found[3]);
      if (found[3] && row < tiles.rows.length) tiles.find(row, Number(found[4])).then((one) => one && this.select(one, false));
      return true;
    }

    sayShown() {
      const [begin, end] = this.view.shown;
      this.output.textContent = end - begin >= tiles.info.stop * 0.9999 ? "all " + tiles.words(end - begin)
        : tiles.words(end - begin) + " from " + tiles.words(begin - tiles.info.origin, Math.min(12, Math.max(4, Math.ceil(Math.log10(Math.max(1, begin) / (end - begin))) + 3)));
    }

    toggleRuler(on = this.ruler.getAttribute("aria-pressed") !== "true") {
      this.toggle(this.ruler, on);
      this.box.classList.toggle("pf-measures", on);
    }

    toggleFolds() {
      const on = this.unfold.getAttribute("aria-pressed") !== "true";
      this.toggle(this.unfold, on);
      for (const track of tiles.tracks) this.view.fold(track, on);
    }
  }

  /** Make a figure live; where that was done, take the page's present colours. */
  perfolio.openTimeline = async function (figure) {
    if (figure.perfolioTimeline) return figure.perfolioTimeline.view.recolour();
    tiles.folder = figure.dataset.tiles ? new URL(figure.dataset.tiles, document.baseURI).href : "";
    if (!tiles.info && tiles.folder) await perfolio.load(tiles.folder + "r.js");
    if (!(await tiles.load("r"))) throw new Error("the timeline's first file holds no tile");
    figure.classList.add("pf-hydrated");
    Object.assign(tiles.View.prototype, tiles.painting);
    Object.assign(Timeline.prototype, tiles.telling, tiles.steering);
    const timeline = (figure.perfolioTimeline = new Timeline(figure));
    timeline.offer(() => tiles.waits.size);
    return undefined;
  };
})();
