/* A timeline on a canvas of the window's height: which rows are where, and what is at a place.
 *
 * Why by hand: docs/decisions/0025-timeline-canvas.md. timeline-paint.js draws.
 */
(function () {
  "use strict";

  const perfolio = window.perfolio;
  const tiles = perfolio.timeline;
  if (tiles.View) return;

  const { ROW, TITLE, RULER, MEMORY, FOLDED } = tiles.SIZES;
  const LEAST = 200; // ns: the shortest part that is shown
  const TALL = 0.75; // part of the window that rows may fill
  /* As on other charts: generator/perfolio/charts/theme.py. Each is seen on both grounds. */
  const FILLS = {
    operator: "#1f9aeb", annotation: "#8f87f7", step: "#666a8c", call: "#62758c", python: "#969674",
    copy: "#9d5b00", memset: "#f545d6", synchronisation: "#c68815", "kernel collective": "#d3452b",
    "kernel product": "#2f845f", "kernel attention": "#417669",
  };
  const KERNEL = "#4a9b78", OTHER = "#939298";
  const fillOf = (group) => FILLS[group] || (group.startsWith("kernel") ? KERNEL : OTHER);

  class View extends perfolio.canvas.View {
    constructor(box, canvas, room, strip) {
      super(box, canvas, room, tiles.info.stop, LEAST);
      this.strip = strip;
      this.open = new Set(); // tracks whose rows are all shown
      this.hits = this.picked = this.partner = this.span = null;
      this.marks = [];
      this.places = []; // what the report marks: name, begin, end
      this.groups = tiles.info.groups.map((group, at) => { const fill = fillOf(group); return { words: tiles.info.words[at], fill, ink: perfolio.canvas.inkOn(fill) }; });
      this.most = this.findMost();
      this.recolour();
      this.layout();
    }

    /** The most that memory rows ever hold. */
    findMost() {
      const root = tiles.held.get("r");
      return tiles.rows.map(({ track }, row) => (track.kind !== "memory" ? 0
        : root.d.subarray(root.first[row], root.first[row + 1]).reduce((most, one) => Math.max(most, one), 1)));
    }

    layout() {
      this.y = new Array(tiles.rows.length).fill(-1);
      this.titles = [];
      let y = RULER;
      for (const track of tiles.tracks) {
        this.titles.push({ track, y });
        y += TITLE;
        const count = this.open.has(track.at) ? track.count : Math.min(track.count, FOLDED);
        for (let row = track.first; row < track.first + count; row++) {
          this.y[row] = y;
          y += this.tall(row);
        }
        y += 3;
      }
      this.setHeight(y + 4, TALL);
    }

    tall(row) { return tiles.rows[row].track.kind === "memory" ? MEMORY : ROW; }

    fold(track, open = !this.open.has(track.at)) {
      if (track.count <= FOLDED) return;
      if (open) this.open.add(track.at); else this.open.delete(track.at);
      this.layout();
    }

    /** Bring a row into sight, unfolding its thread where it is folded. */
    reveal(row) {
      if (this.y[row] < 0) this.fold(tiles.rows[row].track, true);
      this.scrollTo(this.y[row] - RULER - TITLE, this.y[row] + this.tall(row));
    }

    /** The row at a height of the canvas, and the title of a track there. */
    rowAt(y) {
      if (y < RULER) return -1;
      const real = y + this.box.scrollTop;
      return this.y.findIndex((top, row) => top >= 0 && real >= top && real < top + this.tall(row));
    }

    titleAt(y) {
      const real = y + this.box.scrollTop;
      return y < RULER ? null : this.titles.find((one) => real >= one.y && real < one.y + TITLE);
    }

    /** What is drawn at a place: an item, or several that are merged. */
    itemAt(x, y) {
      const row = this.rowAt(y);
      if (row < 0) return null;
      const per = (this.shown[1] - this.shown[0]) / this.width, time = this.at(x);
      let best = null;
      for (const [tile] of tiles.cover(time - 2 * per, time + 2 * per, per)) {
        const n = tiles.before(tile, row, time + per);
        if (n < 0 || (tiles.isTimed(row) && tile.s[n] + Math.max(tile.d[n], 3 * per) < time)) continue;
        if (!best || tile.s[n] > best.s) best = tiles.item(tile, row, n);
      }
      return best;
    }

    /** The edge of an item within some pixels of a place, of the row there before all others. */
    snap(x, y, near = 8) {
      const per = (this.shown[1] - this.shown[0]) / this.width, time = this.at(x), own = this.rowAt(y);
      let best = time, least = near * per;
      for (const [tile] of tiles.cover(time - least, time + least, per)) {
        for (let row = 0; row < this.y.length; row++) {
          if (this.y[row] < 0 || !tiles.isTimed(row)) continue;
          const worth = row === own ? 0.25 : 1;
          const from = Math.max(tiles.before(tile, row, time - near * per), tile.first[row]);
          for (let n = from; n < tile.first[row + 1] && tile.s[n] < time + near * per; n++) {
            for (const edge of [tile.s[n], tile.s[n] + tile.d[n]]) {
              const far = Math.abs(edge - time) * worth;
              if (Math.abs(edge - time) < near * per && far < least) [best, least] = [edge, far];
            }
          }
        }
      }
      return best;
    }
  }

  function bytes(amount) {
    const [size, symbol] = [[1e12, "TB"], [1e9, "GB"], [1e6, "MB"], [1e3, "kB"], [1, "B"]].find(([each]) => amount >= each) || [1, "B"];
    return Number((amount / size).toPrecision(4)) + " " + symbol;
  }

  Object.assign(tiles, { View, bytes, fillOf });
})();
