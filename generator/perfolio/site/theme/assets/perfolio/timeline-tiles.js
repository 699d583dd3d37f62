/* The intervals of a timeline: tiles as they come from script files, or from blocks of this page.
 *
 * generator/perfolio/charts/tiles/tile_encoding.py writes them: `head` tells rows, names and which
 * tiles are exact, `take` has the columns of one tile, packed. The tile `r` is the whole run; `r0`
 * to `r7` are its parts, where it is not exact. All times are nanoseconds since the first interval.
 */
(function () {
  "use strict";

  const perfolio = (window.perfolio = window.perfolio || {});
  if (perfolio.timeline) return;

  const KEEP = 96; // tiles in memory: fewer would be loaded in circles
  const AHEAD = 2; // tiles that what is shown asks for at once
  const NEAR = 1.5; // pixels that a bin may take
  const ROOT = "r";
  const BLOCK = "pf-tile-";

  const { lower, inflate, made, count, share } = perfolio.canvas;

  class Tiles {
    constructor() {
      this.held = new Map(); // by path, the one that was used last at the end
      this.waits = new Map();
      this.told = () => {}; // called when a tile has come
      this.turn = Promise.resolve();
      this.folder = ""; // where the files are; empty where they stand in the page
    }

    head(head) {
      this.info = head;
      this.exact = new Set(head.exact);
      this.edges = new Map([[ROOT, [0, head.stop + 1]]]);
      this.tracks = [];
      this.rows = [];
      for (const [name, kind, count] of head.tracks) {
        const track = { name, kind, first: this.rows.length, count, at: this.tracks.length };
        this.tracks.push(track);
        for (let level = 0; level < count; level++) this.rows.push({ track, level });
      }
    }

    /** Begin and end of the part that a tile is of. */
    bounds(path) {
      if (!this.edges.has(path)) {
        const [begin, end] = this.bounds(path.slice(0, -1));
        const part = Number(path.slice(-1));
        const edge = (each) => begin + Math.floor(((end - begin) * each) / this.info.fan);
        this.edges.set(path, [edge(part), edge(part + 1)]);
      }
      return this.edges.get(path);
    }

    async take(path, packed, bins) {
      const wait = this.expect(path);
      const [bytes] = await Promise.all([inflate(packed), this.turn]);
      this.turn = new Promise(requestAnimationFrame); // one tile a frame
      const tile = this.decode(path, bytes, bins);
      this.held.set(path, tile);
      for (const old of [...this.held.keys()].slice(0, Math.max(0, this.held.size - KEEP))) {
        if (old !== ROOT) this.held.delete(old);
      }
      this.waits.delete(path);
      wait.done(tile);
      this.told();
    }

    /** A promise of a tile, which whoever has it keeps. */
    expect(path) {
      if (!this.waits.has(path)) {
        const wait = {};
        wait.promise = new Promise((done) => { wait.done = done; });
        this.waits.set(path, wait);
      }
      return this.waits.get(path);
    }

    decode(path, bytes, bins) {
      let at = 0;
      const next = () => {
        let value = 0, worth = 1, byte;
        do { byte = bytes[at++]; value += (byte & 127) * worth; worth *= 128; } while (byte & 128);
        return value;
      };
      const signed = () => { const value = next(); return value % 2 ? -(value + 1) / 2 : value / 2; };
      const fill = (column, read = next) => { for (let n = 0; n < column.length; n++) column[n] = read(n); return column; };
      const rows = this.rows.length;
      const edges = () => { const first = new Uint32Array(rows + 1); for (let row = 0; row < rows; row++) first[row + 1] = first[row] + next(); return first; };
      const walk = (first, begin, read) => {
        const column = new Float64Array(first[rows]);
        for (let row = 0; row < rows; row++) for (let n = first[row], value = begin; n < first[row + 1]; n++) column[n] = value += read();
        return column;
      };
      const [begin, end] = this.bounds(path);
      const exact = this.exact.has(path), first = edges();
      const s = walk(first, begin, signed), d = fill(new Float64Array(s.length)), name = fill(new Uint32Array(s.length));
      if (exact) {
        const link = fill(new Uint16Array(s.length));
        return { path, begin, end, exact, bin: 0, first, s, d, name, link, back: fill(new Float64Array(s.length), (n) => (link[n] ? signed() : 0)) };
      }
      const bin = Math.max(1, Math.floor((end - begin) / bins)), filled = edges();
      const place = walk(filled, -1, next);
      const read = () => fill(new Uint32Array(place.length));
      return this.blend({ path, begin, end, exact, bin }, { first, s, d, name }, { first: filled, s: place.map((each) => begin + each * bin), name: read(), count: read(), busy: read() });
    }

    /** Items and bins of each row as one list, by their begins. */
    blend(tile, items, bins) {
      const many = items.s.length + bins.s.length;
      Object.assign(tile, { first: new Uint32Array(items.first.length), s: new Float64Array(many), d: new Float64Array(many), name: new Uint32Array(many), count: new Uint32Array(many), busy: new Float64Array(many) });
      for (let row = 0, n = 0; row + 1 < items.first.length; row++) {
        let one = items.first[row], other = bins.first[row];
        while (one < items.first[row + 1] || other < bins.first[row + 1]) {
          const isBin = one >= items.first[row + 1] || (other < bins.first[row + 1] && bins.s[other] < items.s[one]);
          const [from, at] = isBin ? [bins, other++] : [items, one++];
          tile.s[n] = from.s[at];
          tile.d[n] = isBin ? tile.bin : from.d[at];
          tile.name[n] = from.name[at];
          tile.count[n] = isBin ? from.count[at] : 0; // 0: not merged, as the store has it
          tile.busy[n++] = isBin ? from.busy[at] / 255 : 1;
        }
        tile.first[row + 1] = n;
      }
      return tile;
    }

    /** Whether a tile is here, or can be loaded: a report of one file has some of them. */
    has(path) {
      return this.held.has(path) || !!this.folder || !!document.getElementById(BLOCK + path);
    }

    /** A tile; nothing where it cannot be had. */
    async load(path) {
      const tile = this.held.get(path);
      if (tile) return this.use(path, tile);
      if (!this.has(path)) return null;
      const comes = this.waits.has(path);
      const { promise } = this.expect(path);
      if (!comes) this.fetch(path);
      return promise;
    }

    fetch(path) {
      const block = document.getElementById(BLOCK + path);
      if (block) return void this.take(path, block.textContent.trim(), Number(block.dataset.bins));
      const script = document.createElement("script");
      script.src = this.folder + path + ".js";
      script.onload = () => script.remove();
      script.onerror = () => { const wait = this.waits.get(path); this.waits.delete(path); if (wait) wait.done(null); };
      document.head.append(script);
    }

    use(path, tile) {
      this.held.delete(path);
      this.held.set(path, tile);
      return tile;
    }

    /** Tiles that show a part at `per` nanoseconds a pixel, with the bounds in which each is drawn. */
    cover(begin, end, per, found = [], path = ROOT, low = -Infinity, high = Infinity) {
      const tile = this.use(path, this.held.get(path));
      const from = Math.max(low, begin), to = Math.min(high, end);
      if (tile.exact || tile.bin <= NEAR * per) return found.push([tile, from, to]), found;
      for (let part = 0; part < this.info.fan; part++) {
        const [one, other] = this.bounds(path + part);
        if (other <= begin || one >= end) continue;
        if (this.held.has(path + part)) this.cover(begin, end, per, found, path + part, Math.max(low, one), Math.min(high, other));
        else {
          found.push([tile, Math.max(from, one), Math.min(to, other)]);
          if (this.waits.size < AHEAD) this.load(path + part); // the next one when one has come
        }
      }
      return found;
    }

    /** The exact tile of a moment. */
    leaf(time) {
      let path = ROOT;
      while (!this.exact.has(path)) {
        let part = 0;
        while (part < this.info.fan - 1 && this.bounds(path + part)[1] <= time) part++;
        path += part;
      }
      return path;
    }

    /** The exact tiles of a part that can be had, in their order. */
    leaves(begin = -Infinity, end = Infinity) {
      const within = (path) => { const [one, other] = this.bounds(path); return one < end && other > begin && this.has(path); };
      return this.info.exact.filter(within).sort((a, b) => this.bounds(a)[0] - this.bounds(b)[0]);
    }

    /** What stands at a place of a tile. */
    item(tile, row, n) {
      return {
        row, s: tile.s[n], d: tile.d[n], name: tile.name[n], many: tile.count ? tile.count[n] : 0, exact: tile.exact,
        link: tile.link ? tile.link[n] - 1 : -1, back: tile.back ? tile.back[n] : 0,
      };
    }

    /** Where the last item of a row stands that begins at a moment or before; -1 for none. */
    before(tile, row, time) {
      const at = lower(tile.s, time + 0.5, tile.first[row], tile.first[row + 1]) - 1;
      return at < tile.first[row] ? -1 : at;
    }

    /** The item of a row that begins just then, as the store has it. */
    async find(row, time, wanted = () => true) {
      const tile = await this.load(this.leaf(time));
      if (!tile) return null;
      for (let n = lower(tile.s, time, tile.first[row], tile.first[row + 1]); n < tile.first[row + 1] && tile.s[n] === time; n++) {
        const one = this.item(tile, row, n);
        if (wanted(one)) return one;
      }
      return null;
    }
  }

  perfolio.timeline = new Tiles();
  Object.assign(perfolio.timeline, {
    lower, made, count, share,
    /* Heights [px], and how many rows of a thread are shown at once. */
    SIZES: { ROW: 17, TITLE: 17, RULER: 34, MEMORY: 38, STRIP: 40, FOLDED: 6 },
  });
})();
