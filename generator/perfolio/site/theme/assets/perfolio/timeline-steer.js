/* How a timeline is moved in: by keys, mouse, wheel and fingers.
 *
 * Methods of `Timeline` (timeline.js).
 */
(function () {
  "use strict";

  const tiles = window.perfolio.timeline;
  if (tiles.steering) return;
  const STEP = 1.6; // how much a button or a key enlarges
  const MOVE = 0.2; // part of what is shown by which a key moves

  tiles.steering = {
    zoom(factor, part = 0.5) {
      const [begin, end] = this.view.shown, time = begin + (end - begin) * part, long = Math.min((end - begin) / factor, tiles.info.stop);
      this.show(time - long * part, time + long * (1 - part));
    },

    move(parts) {
      const [begin, end] = this.view.shown, way = (end - begin) * parts;
      this.show(begin + way, end + way);
    },

    async go() {
      const { partner } = this.view;
      if (!partner) return;
      this.bring(partner);
      await this.select(partner);
    },

    /** Show an item where it is outside of what is shown, or too small in it. */
    bring(item) {
      const [begin, end] = this.view.shown, long = end - begin;
      this.view.reveal(item.row);
      const time = tiles.isTimed(item.row) ? item.d : 0;
      const wanted = Math.min(long, Math.max(time * 20, 2e4));
      if (item.s < begin || item.s + time > end) this.show(item.s + time / 2 - Math.max(wanted, time) / 2, item.s + time / 2 + Math.max(wanted, time) / 2);
    },

    async walk(way) {
      const one = this.view.picked;
      const next = one ? await tiles.beside(one, way) : await this.firstShown();
      if (!next) return;
      this.bring(next);
      await this.select(next);
    },

    /** The first item that begins in what is shown, of the first row that has one. */
    async firstShown() {
      const [begin, end] = this.view.shown;
      const tile = await tiles.load(tiles.leaf(begin));
      for (let row = 0; tile && row < tiles.rows.length; row++) {
        const n = tiles.lower(tile.s, begin, tile.first[row], tile.first[row + 1]);
        if (tiles.isTimed(row) && n < tile.first[row + 1] && tile.s[n] < end) return tiles.item(tile, row, n);
      }
      return null;
    },

    /** To what is above or below the selected item in time, in the next row that has something. */
    async climb(way) {
      const one = this.view.picked || (await this.firstShown());
      if (!one) return;
      const tile = await tiles.load(tiles.leaf(one.s));
      for (let row = one.row + way; tile && row >= 0 && row < tiles.rows.length; row += way) {
        let n = tiles.before(tile, row, one.s);
        if (n < 0 && tile.first[row + 1] > tile.first[row]) n = tile.first[row];
        if (n < 0) continue;
        const next = tiles.item(tile, row, n);
        this.bring(next);
        await this.select(next);
        return;
      }
    },

    fit() {
      const one = this.view.picked, span = this.view.span;
      if (span) this.show(span[0] - 0.05 * (span[1] - span[0]), span[1] + 0.05 * (span[1] - span[0]));
      else if (one && tiles.isTimed(one.row)) this.show(one.s - 0.1 * one.d - 1, one.s + 1.1 * one.d + 1);
    },

    leave() {
      if (this.view.span) { this.view.span = this.spanned = null; this.measured.textContent = ""; this.view.ask(); }
      else if (this.view.picked) this.select(null);
      else this.show(0, tiles.info.stop);
    },

    toggleFold() {
      const one = this.view.picked;
      const track = one ? tiles.rows[one.row].track : tiles.tracks.find((each) => each.count > 6);
      if (track) this.view.fold(track);
    },

    key(event) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const acts = {
        w: () => this.zoom(STEP), "+": () => this.zoom(STEP), "=": () => this.zoom(STEP), s: () => this.zoom(1 / STEP), "-": () => this.zoom(1 / STEP),
        a: () => this.move(-MOVE), d: () => this.move(MOVE), ArrowLeft: () => this.move(-MOVE), ArrowRight: () => this.move(MOVE),
        0: () => this.show(0, tiles.info.stop), Home: () => { this.start(); this.tell(); }, f: () => this.fit(), g: () => this.go(),
        ".": () => this.walk(1), ",": () => this.walk(-1), ArrowUp: () => this.climb(-1), ArrowDown: () => this.climb(1),
        "/": () => { this.words.focus(); this.words.select(); }, n: () => this.step(1), N: () => this.step(-1),
        x: () => this.measurePicked(), m: () => this.mark(), e: () => this.toggleFold(), Escape: () => this.leave(),
      };
      const act = Object.hasOwn(acts, event.key) && acts[event.key];
      if (!act) return;
      act();
      event.preventDefault();
      event.stopPropagation(); // the theme goes to other pages by some of these keys
    },

    place(event) {
      const box = this.box.getBoundingClientRect();
      return [event.clientX - box.left - this.box.clientLeft, event.clientY - box.top - this.box.clientTop];
    },

    wheel(event) {
      const aside = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
      if (event.ctrlKey || event.metaKey) this.zoom(Math.exp(-event.deltaY * 0.003), this.place(event)[0] / this.view.width);
      else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) this.move(aside / 600);
      else return; // the page scrolls, or the rows of a timeline that has the focus
      event.preventDefault();
    },

    press(event) {
      if (event.button) return;
      const [x, y] = this.place(event);
      this.fingers.set(event.pointerId, x);
      Object.assign(this, { moved: false, pressed: [event.clientX, event.clientY], scrolled: this.box.scrollTop });
      const measures = event.shiftKey || this.ruler.getAttribute("aria-pressed") === "true";
      this.measures = measures && this.fingers.size === 1 ? { from: this.view.snap(x, y), row: this.view.rowAt(y) } : null;
      this.grip();
    },

    /** What is under the fingers now stays there. */
    grip() { this.held = [...this.fingers.values()].map((x) => this.view.at(x)); },

    drag(event) {
      if (!this.fingers.has(event.pointerId)) return;
      const [x, y] = this.place(event);
      this.fingers.set(event.pointerId, x);
      if (Math.hypot(event.clientX - this.pressed[0], event.clientY - this.pressed[1]) > 4) this.moved = true;
      if (!this.moved) return;
      if (event.buttons && event.pointerType === "mouse") this.box.setPointerCapture(event.pointerId);
      if (this.measures) {
        this.view.span = [this.measures.from, this.view.snap(x, y)].sort((a, b) => a - b);
        return void this.view.ask();
      }
      const { width, shown } = this.view, [one, two] = [...this.fingers.values()].map((each) => each / width);
      const long = two === undefined || Math.abs(two - one) < 0.02 ? shown[1] - shown[0] : Math.abs((this.held[1] - this.held[0]) / (two - one));
      if (event.pointerType === "mouse") this.box.scrollTop = this.scrolled - (event.clientY - this.pressed[1]);
      this.show(this.held[0] - one * long, this.held[0] + (1 - one) * long);
    },

    release(event, ended) {
      if (!this.fingers.delete(event.pointerId)) return;
      this.grip();
      if (!ended) return;
      if (this.measures && this.moved) this.measure(...this.view.span, this.measures.row);
      else if (!this.moved) this.click(...this.place(event));
    },

    click(x, y) {
      const title = this.view.titleAt(y);
      if (title) this.view.fold(title.track);
      else this.select(this.view.itemAt(x, y));
    },

    listen() {
      const on = (element, name, act, options) => element.addEventListener(name, act, options);
      on(this.box, "wheel", (event) => this.wheel(event), { passive: false });
      on(this.box, "keydown", (event) => this.key(event));
      on(this.box, "scroll", () => this.view.ask());
      on(this.box, "dblclick", () => this.fit());
      on(this.box, "pointerdown", (event) => this.press(event));
      on(this.box, "pointermove", (event) => this.drag(event));
      on(this.box, "pointerup", (event) => this.release(event, true));
      on(this.box, "pointercancel", (event) => this.release(event, false));
      const there = (event) => {
        if (!(event.buttons & 1)) return;
        const box = this.strip.getBoundingClientRect(), half = (this.view.shown[1] - this.view.shown[0]) / 2;
        const middle = ((event.clientX - box.left) / box.width) * tiles.info.stop;
        if (half * 2 < tiles.info.stop) this.show(middle - half, middle + half);
      };
      on(this.strip, "pointerdown", there);
      on(this.strip, "pointermove", there);
      on(this.table, "toggle", () => { if (this.table.open) this.fillTable(); });
      window.addEventListener("hashchange", () => this.openAddress());
    },
  };
})();
