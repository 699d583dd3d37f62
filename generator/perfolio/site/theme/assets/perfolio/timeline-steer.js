/* How a timeline is moved in, beyond what canvas.js does: along rows, to launches, with a ruler.
 *
 * Methods of `Timeline` (timeline.js).
 */
(function () {
  "use strict";

  const tiles = window.perfolio.timeline;
  if (tiles.steering) return;

  tiles.steering = {
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

    keys(far) {
      return {
        ArrowLeft: () => this.move(-far), ArrowRight: () => this.move(far),
        Home: () => { this.start(); this.tell(); }, f: () => this.fit(), g: () => this.go(),
        ".": () => this.walk(1), ",": () => this.walk(-1), ArrowUp: () => this.climb(-1), ArrowDown: () => this.climb(1),
        x: () => this.measurePicked(), m: () => this.mark(), e: () => this.toggleFold(), Escape: () => this.leave(),
      };
    },

    /** A drag with Shift, or with the ruler, measures. */
    grasp(event, x, y) {
      if (!event.shiftKey && this.ruler.getAttribute("aria-pressed") !== "true") return null;
      const from = this.view.snap(x, y), row = this.view.rowAt(y);
      return {
        drag: (to, high) => { this.view.span = [from, this.view.snap(to, high)].sort((a, b) => a - b); this.view.ask(); },
        end: () => this.measure(...this.view.span, row),
      };
    },

    click(x, y) {
      const title = this.view.titleAt(y);
      if (title) this.view.fold(title.track);
      else this.select(this.view.itemAt(x, y));
    },

    listenMore() {
      const there = (event) => {
        if (!(event.buttons & 1)) return;
        const box = this.strip.getBoundingClientRect(), half = (this.view.shown[1] - this.view.shown[0]) / 2;
        const middle = ((event.clientX - box.left) / box.width) * tiles.info.stop;
        if (half * 2 < tiles.info.stop) this.show(middle - half, middle + half);
      };
      this.on(this.box, "dblclick", () => this.fit());
      this.on(this.strip, "pointerdown", there);
      this.on(this.strip, "pointermove", there);
      this.on(this.table, "toggle", () => { if (this.table.open) this.fillTable(); });
      window.addEventListener("hashchange", () => this.openAddress());
    },
  };
})();
