/* A call tree that one moves in: what is shown, enlarged, selected, found, and said of it.
 *
 * Who extends `FramePane` says which frames there are, what is written on each and what it is about.
 */
(function () {
  "use strict";

  const perfolio = window.perfolio;
  if (perfolio.FramePane) return;

  const { Pane, made, count } = perfolio.canvas;
  const { FrameView, tellUnder, NEAR } = perfolio.frames;
  const SEEN = 0.03; // part of the width that a hit has at least when it is shown
  const CRUMBS = 6; // frames around what is shown that are named
  const KEYS = "up goes to the caller, down to the largest callee, left and right to frames beside, Enter enlarges, Backspace goes back, "
    + "Escape or 0 shows all, slash searches, n goes to the next hit, w and s zoom, a and d move";

  class FramePane extends Pane {
    /** `host` is filled with all parts; `what` names them to those who cannot see them. */
    constructor(figure, host, what) {
      super(figure);
      this.what = what;
      this.past = [];
      this.all = [];
      this.bar.setAttribute("aria-label", what + ": what is shown");
      this.view = new FrameView(...this.makeBox(what + ": " + KEYS + (this.more || "")));
      this.crumbs = made("p", { className: "pf-crumbs" });
      this.legend = made("p", { className: "pf-key pf-note", hidden: true });
      this.said = this.status("pf-told");
      this.addMoves();
      this.button("All", () => this.show(0, 100), "All of it (0)");
      this.before = this.button("Back", () => this.back(), "What was shown before (Backspace)");
      this.before.disabled = true;
      host.replaceChildren(this.bar, this.crumbs, this.box, this.legend, this.said);
    }

    /** When who extends this knows its frames. */
    start(found) {
      this.found = found;
      this.addSearch();
      this.listen();
      this.on(this.box, "dblclick", () => this.show(0, 100));
      tellUnder(this.box, this.view, (frame) => Object.fromEntries([["title", this.name(frame)], ...this.facts(frame)]));
      this.refill();
      this.pick(null);
    }

    /** A choice beside the buttons. */
    choice(label, name, options, act) {
      const one = made("select", { name }, options.map(([value, text]) => made("option", { value, textContent: text })));
      one.addEventListener("change", act);
      this.bar.append(made("label", { className: "pf-find" }, label + " ", one));
      return one;
    }

    /** Take the frames that there are now; what is shown stays. */
    refill() {
      this.all = this.frames();
      this.named = null;
      this.view.fill(this.all, { fillOf: (frame) => this.fillOf(frame), label: (frame) => this.label(frame), isBold: (frame) => this.isBold(frame) }, this.found);
      if (this.view.picked) this.view.picked = this.all.find((one) => one.node === this.view.picked.node) || null;
      this.search(this.words.value);
      this.sayShown();
    }

    show(begin, end, tell = true) {
      const [from, to] = this.view.shown;
      if (tell && Math.abs(begin - from) + Math.abs(end - to) > NEAR) {
        this.past = [...this.past.slice(-50), [from, to]];
        this.before.disabled = false;
      }
      this.view.show(begin, end);
      this.saySoon();
      if (tell && this.tell) this.tell();
    }

    back() {
      const before = this.past.pop();
      if (!before) return;
      const left = this.past.length;
      this.show(...before);
      this.past.length = left;
      this.before.disabled = !left;
    }

    isWhole() { const [begin, end] = this.view.shown; return end - begin >= 99.99; }

    /** The frames around what is shown, down to the one that is enlarged. */
    path() {
      const path = this.view.around(...this.view.shown), at = path.indexOf(this.view.picked);
      return at < 0 || this.view.picked.right - this.view.picked.left > this.view.shown[1] - this.view.shown[0] + NEAR ? path : path.slice(0, at + 1);
    }

    sayShown() {
      const [begin, end] = this.view.shown, percent = (value) => Number(value.toPrecision(4)) + " %";
      this.output.textContent = this.isWhole() ? "all 100 %" : `${percent(end - begin)} from ${percent(begin)}`;
      const path = this.isWhole() ? [] : this.path(), named = path.slice(-CRUMBS);
      if (this.named && this.named.length === named.length && named.every((one, at) => one === this.named[at])) return;
      this.named = named;
      const crumb = (text, act) => {
        const one = made("button", { type: "button", className: "pf-action", textContent: text });
        one.addEventListener("click", act);
        return one;
      };
      const shown = named.flatMap((frame) => [" › ", crumb(this.label(frame), () => this.enlarge(frame))]);
      this.crumbs.replaceChildren(...(path.length ? [crumb("All", () => this.show(0, 100)), ...(path.length > CRUMBS ? [" › …"] : []), ...shown] : ["All frames are shown: click on one to enlarge it."]));
    }

    enlarge(frame) {
      if (!frame) return;
      this.pick(frame);
      this.show(frame.left, frame.right);
      this.view.reveal(frame.level, 6);
    }

    /** Select a frame, and say what is known of it; nothing where there is none. */
    pick(frame) {
      this.view.picked = frame;
      this.view.ask();
      if (!frame) {
        this.said.replaceChildren(made("p", { className: "pf-note", textContent: "Nothing is selected: click on a frame, or press an arrow key." }));
        return;
      }
      const facts = this.facts(frame).flatMap(([term, text]) => [made("dt", { textContent: term }), made("dd", { textContent: text })]);
      this.said.replaceChildren(made("p", { className: "pf-chosen" }, made("code", { textContent: this.name(frame) })), made("dl", {}, facts));
    }

    /** Select a frame, and show it where it is out of sight, or too small there. */
    bring(frame, least = 0.002) {
      if (!frame) return;
      this.pick(frame);
      const [begin, end] = this.view.shown, long = frame.right - frame.left;
      if (frame.right <= begin + NEAR || frame.left >= end - NEAR || long < least * (end - begin)) {
        const middle = (frame.left + frame.right) / 2, room = long / SEEN / 2;
        let around = frame;
        while (around.up && long >= SEEN * (around.up.right - around.up.left)) around = around.up;
        if (!around.up && long >= SEEN * 100) this.show(0, 100);
        else if (around !== frame) this.show(around.left, around.right);
        else this.show(middle - room, middle + room);
      }
      this.view.reveal(frame.level, 1);
    }

    /** From the selected frame to another one; without one to the frame that is enlarged. */
    go(next) {
      const one = this.view.picked;
      if (one) this.bring(next(one));
      else this.bring(this.isWhole() ? this.all[0] : this.path().pop() || this.all[0]);
    }

    isBold() { return false; }

    beside(frame, way) {
      const row = frame.up ? frame.up.down : this.view.levels[0];
      return row[row.indexOf(frame) + way];
    }

    keys() {
      return {
        ArrowUp: () => this.go((one) => one.up), ArrowDown: () => this.go((one) => one.down[0]),
        ArrowLeft: () => this.go((one) => this.beside(one, -1)), ArrowRight: () => this.go((one) => this.beside(one, 1)),
        Home: () => this.bring(this.all[0]), Enter: () => this.enlarge(this.view.picked || this.all[0]),
        Backspace: () => this.back(), Escape: () => (this.isWhole() ? this.pick(null) : this.show(0, 100)),
      };
    }

    click(x, y) {
      const frame = this.view.itemAt(x, y);
      if (!frame) return;
      this.enlarge(frame);
      if (this.chose) this.chose(frame);
    }

    /** Frames whose name has the words; their share counts what lies in another hit once. */
    search(words) {
      const wanted = words.trim().toLowerCase();
      const found = new Set(), within = new Set();
      let sum = 0;
      for (const frame of wanted ? this.all : []) {
        if (within.has(frame.up)) within.add(frame);
        if (frame.node.code === perfolio.sums.FOLDED || !this.name(frame).toLowerCase().includes(wanted)) continue;
        found.add(frame);
        if (!within.has(frame)) sum += frame.right - frame.left;
        within.add(frame);
      }
      this.view.hits = wanted ? found : null;
      this.list = [...found].sort((a, b) => a.left - b.left || a.level - b.level);
      this.sum = sum;
      this.sayHits();
      this.view.ask();
      if (this.searched) this.searched();
    }

    sayHits() {
      const at = this.list.indexOf(this.view.picked) + 1;
      this.hits.textContent = this.view.hits ? `${at ? at.toLocaleString("en") + " of " : ""}${count(this.list.length, "hit")}, ${Number(this.sum.toPrecision(3))} % of all` : "";
    }

    step(way) {
      if (!this.list.length) return;
      const one = this.view.picked, at = this.list.indexOf(one);
      const after = this.list.findIndex((hit) => one && (hit.left > one.left || (hit.left === one.left && hit.level > one.level)));
      const from = at >= 0 ? at + way : !one ? (way > 0 ? 0 : -1) : way > 0 ? (after < 0 ? 0 : after) : (after < 0 ? this.list.length : after) - 1;
      this.bring(this.list[(from + this.list.length) % this.list.length], SEEN);
      this.sayHits();
    }

    recolour() { this.view.recolour(); }
  }

  perfolio.FramePane = FramePane;
})();
