/* Frames of a call tree on a canvas: callers above callees, each as wide as its amount.
 *
 * A frame has its edges in percent, its level from the top, and the frame around it (tree-sums.js).
 */
(function () {
  "use strict";

  const perfolio = window.perfolio;
  if (perfolio.frames) return;

  const { View, made, inkOn, NAMED } = perfolio.canvas;
  const ROW = 20, RULER = 18; // px
  const TALL = 0.75; // part of the window that rows may fill
  const LEAST = 1e-7; // percent: the shortest part that is shown
  const NEAR = 2e-6; // percent: an address has nine digits

  class FrameView extends View {
    constructor(box, canvas, room, most = TALL) {
      super(box, canvas, room, 100, LEAST);
      Object.assign(this, { levels: [], hits: null, picked: null, most });
      this.recolour();
    }

    /** Take frames, those of a level from left to right, and what says the colour and words of each. */
    fill(frames, { fillOf, label, isBold = () => false }, found) {
      Object.assign(this, { fillOf, label, isBold, found, levels: [] });
      for (const frame of frames) (this.levels[frame.level] = this.levels[frame.level] || []).push(frame);
      this.setHeight(RULER + ROW * this.levels.length + 2, this.most);
    }

    draw() {
      this.waiting = 0;
      const began = performance.now();
      const [begin, end] = this.shown, per = (end - begin) / this.width;
      const up = this.box.scrollTop, seen = this.box.clientHeight;
      const brush = this.begin(this.canvas, this.width, seen);
      this.boxes = 0;
      for (let level = Math.max(0, Math.floor((up - ROW) / ROW)); level < this.levels.length; level++) {
        const y = RULER + level * ROW - up;
        if (y > seen) break;
        this.drawLevel(brush, this.levels[level], y, begin, end, per);
      }
      this.drawPicked(brush, begin, per, up);
      this.drawRuler(brush, begin, end, per);
      this.cost = performance.now() - began;
    }

    drawLevel(brush, frames, y, begin, end, per) {
      let edge = 0, fill = "", heavy = false;
      for (let n = this.first(frames, begin); n < frames.length && frames[n].left < end; n++) {
        const frame = frames[n];
        const left = Math.max((frame.left - begin) / per, 0), right = Math.min((frame.right - begin) / per, this.width);
        if (right <= edge && right - left < 1) continue; // that pixel is full
        const from = Math.max(left, edge), wide = Math.max(right - from, 0.75);
        const own = this.hits && this.hits.has(frame) ? this.found : this.fillOf(frame) || this.colour.line;
        if (own !== fill) brush.fillStyle = fill = own;
        brush.fillRect(from, y, wide > 3 ? wide - 0.75 : wide, ROW - 1);
        this.boxes++;
        edge = from + wide;
        if (wide < NAMED) continue;
        brush.fillStyle = fill = own === this.colour.line ? this.colour.ink : inkOn(own);
        if (this.isBold(frame) !== heavy) brush.font = ((heavy = !heavy) ? "bold " : "") + "11px system-ui, sans-serif";
        this.write(brush, this.label(frame), from, y + ROW / 2, wide);
      }
      if (heavy) brush.font = "11px system-ui, sans-serif";
    }

    /** The first frame of a level that ends after a place. */
    first(frames, begin) {
      let low = 0, high = frames.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (frames[middle].right <= begin) low = middle + 1; else high = middle;
      }
      return low;
    }

    drawPicked(brush, begin, per, up) {
      const one = this.picked;
      if (!one) return;
      const left = Math.max((one.left - begin) / per, -4), right = Math.min((one.right - begin) / per, this.width + 4);
      const y = RULER + one.level * ROW - up;
      for (const [colour, inset] of [[this.colour.ink, 1], [this.colour.ground, 2.5]]) {
        brush.strokeStyle = colour;
        brush.lineWidth = inset === 1 ? 2 : 1;
        brush.strokeRect(left + inset, y + inset, Math.max(right - left - 2 * inset, 1), ROW - 1 - 2 * inset);
      }
    }

    drawRuler(brush, begin, end, per) {
      brush.fillStyle = this.colour.ground;
      brush.fillRect(0, 0, this.width, RULER);
      const long = end - begin;
      let step = 10 ** Math.floor(Math.log10(long / 20));
      for (let turn = 0; step / per < 80; turn++) step *= turn % 3 === 1 ? 2.5 : 2;
      const digits = Math.min(12, Math.max(0, Math.ceil(-Math.log10(step))) + (step < 1 ? 1 : 0));
      for (let at = Math.ceil(begin / step) * step; at <= end; at += step) {
        const x = (at - begin) / per, words = Number(at.toFixed(digits)) + " %";
        brush.fillStyle = this.colour.line;
        brush.fillRect(Math.min(x, this.width - 1), 0, 1, RULER);
        brush.fillStyle = this.colour.muted;
        brush.fillText(words, Math.min(x + 3, this.width - words.length * 6.6), 9);
      }
    }

    /** The frame at a place of the canvas. */
    itemAt(x, y) {
      if (y < RULER) return null;
      const frames = this.levels[Math.floor((y - RULER + this.box.scrollTop) / ROW)] || [];
      const place = this.at(x), near = (this.shown[1] - this.shown[0]) / this.width;
      const one = frames[this.first(frames, place)], other = frames[this.first(frames, place - near)];
      return one && one.left <= place ? one : other && other.left <= place + near ? other : null;
    }

    /** Bring a level into sight, and some below it. */
    reveal(level, more = 0) {
      const bottom = Math.min(level + 1 + more, this.levels.length);
      this.scrollTo(level * ROW, RULER + bottom * ROW + 2);
      if (this.box.scrollTop > level * ROW) this.box.scrollTop = level * ROW;
    }

    /** The frames that reach around a part, outermost first. */
    around(begin, end) {
      const path = [];
      for (const frames of this.levels) {
        const one = frames[this.first(frames, (begin + end) / 2)];
        if (!one || one.left > begin + NEAR || one.right < end - NEAR) break;
        path.push(one);
      }
      return path;
    }
  }

  /** What a mouse over a box of frames is told. */
  function tellUnder(box, view, tip) {
    const hide = () => perfolio.chartTip(null, null, null, null);
    box.addEventListener("pointermove", (event) => {
      if (event.pointerType !== "mouse" || event.buttons) return hide();
      const at = box.getBoundingClientRect();
      const frame = view.itemAt(event.clientX - at.left - box.clientLeft, event.clientY - at.top - box.clientTop);
      return perfolio.chartTip(null, event, null, frame ? tip(frame) : null);
    });
    box.addEventListener("pointerleave", hide);
  }

  /** Frames that are only looked at: a click on one calls `chosen`. */
  function stillFrames(host, about, { rows, tip, chosen, ...look }) {
    const canvas = made("canvas"), room = made("div", { className: "pf-time-room" });
    const box = made("div", { className: "pf-time pf-still" }, canvas, room);
    box.setAttribute("role", "img");
    box.setAttribute("aria-label", about);
    host.replaceChildren(box);
    const view = new FrameView(box, canvas, room, 20);
    view.fill(rows, look);
    tellUnder(box, view, tip);
    box.addEventListener("click", (event) => {
      const at = box.getBoundingClientRect();
      const frame = view.itemAt(event.clientX - at.left - box.clientLeft, event.clientY - at.top - box.clientTop);
      if (frame) chosen(frame);
    });
    new ResizeObserver(() => view.resize()).observe(box);
    view.resize();
    return view;
  }

  perfolio.frames = { FrameView, stillFrames, tellUnder, NEAR };
})();
