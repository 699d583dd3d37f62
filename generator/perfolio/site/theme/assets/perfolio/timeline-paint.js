/* What a timeline draws: boxes, memory, ruler, what is selected and measured, the strip.
 *
 * Methods of `View` (timeline-view.js). A frame draws what is in sight, and no box twice.
 */
(function () {
  "use strict";

  const tiles = window.perfolio.timeline;
  if (tiles.painting) return;
  const { SIGN, NAMED } = window.perfolio.canvas;
  const { ROW, TITLE, RULER, MEMORY, STRIP, FOLDED } = tiles.SIZES;

  tiles.painting = {
    draw() {
      this.waiting = 0;
      const began = performance.now();
      const [begin, end] = this.shown;
      const frame = { begin, end, per: (end - begin) / this.width, up: this.box.scrollTop, seen: this.box.clientHeight, boxes: 0 };
      frame.x = (time) => (time - begin) / frame.per;
      const brush = this.begin(this.canvas, this.width, frame.seen);
      this.drawPlaces(brush, frame);
      frame.parts = tiles.cover(begin, end, frame.per);
      for (let row = 0; row < this.y.length; row++) {
        const y = this.y[row] - frame.up;
        if (this.y[row] < 0 || y > frame.seen || y + this.tall(row) < RULER) continue; // out of sight
        if (tiles.isTimed(row)) this.drawRow(brush, frame, row, y);
        else this.drawMemory(brush, frame, row, y);
      }
      this.drawTitles(brush, frame);
      this.drawPicked(brush, frame);
      this.drawRuler(brush, frame);
      this.drawSpan(brush, frame);
      this.drawStrip();
      this.boxes = frame.boxes;
      this.cost = performance.now() - began;
      if (this.drawn) this.drawn();
    },

    drawRow(brush, frame, row, y) {
      const { names, group } = tiles.info, { parts, x } = frame;
      let edge = -1, last = -1, fill = "";
      for (const [tile, low, high] of parts) {
        let n = Math.max(tiles.before(tile, row, low), tile.first[row]);
        const stop = tile.first[row + 1];
        if (n < stop && tile.s[n] + tile.d[n] <= low && tile.s[n] < low) n++;
        for (; n < stop && tile.s[n] < high; n++) {
          const begin = tile.s[n];
          if (begin === last) continue; // drawn whole by the tile before
          const left = Math.max(x(begin), 0), right = Math.min(x(begin + tile.d[n]), this.width);
          if (right <= edge && right - left < 1) continue; // that pixel is full
          last = begin;
          const from = Math.max(left, edge), wide = Math.max(right - from, 0.75);
          const { fill: own, ink } = this.groups[group[tile.name[n]]];
          const many = tile.count ? tile.count[n] : 0;
          const tall = many ? 3 + Math.round((ROW - 4) * Math.min(1, tile.busy[n])) : ROW - 1;
          const wanted = this.hits && !this.hits.has(tile.name[n]) ? this.colour.line : own;
          if (wanted !== fill) brush.fillStyle = fill = wanted;
          brush.fillRect(from, y + ROW - 1 - tall, wide > 3 ? wide - 0.75 : wide, tall);
          frame.boxes++;
          edge = from + wide;
          if (wide < NAMED) continue;
          const words = many > 1 ? many.toLocaleString("en") + " merged" : names[tile.name[n]];
          brush.fillStyle = fill = wanted === own && tall > 10 ? ink : this.colour.ink;
          this.write(brush, words, from, y + ROW / 2 + 0.5, wide);
        }
      }
    },

    drawMemory(brush, frame, row, y) {
      const scale = (MEMORY - 6) / this.most[row], bottom = y + MEMORY - 2;
      brush.beginPath();
      brush.moveTo(0, bottom);
      let level = 0;
      for (const [tile, low, high] of frame.parts) {
        for (let n = Math.max(tiles.before(tile, row, low), tile.first[row]); n < tile.first[row + 1] && tile.s[n] < high; n++) {
          const x = Math.max(0, frame.x(Math.max(tile.s[n], low)));
          brush.lineTo(x, bottom - level);
          brush.lineTo(x, bottom - (level = tile.d[n] * scale));
        }
      }
      brush.lineTo(this.width, bottom - level);
      brush.lineTo(this.width, bottom);
      brush.fillStyle = "#1f9aeb";
      brush.globalAlpha = 0.45;
      brush.fill();
      brush.globalAlpha = 1;
      brush.strokeStyle = "#1f9aeb";
      brush.lineWidth = 1;
      brush.stroke();
    },

    drawTitles(brush, frame) {
      for (const { track, y } of this.titles) {
        const top = y - frame.up;
        if (top > frame.seen || top + TITLE < RULER) continue;
        brush.fillStyle = this.colour.panel;
        brush.fillRect(0, top, this.width, TITLE - 1);
        const more = track.count - FOLDED;
        const sign = more <= 0 ? "" : this.open.has(track.at) ? "▾ " : "▸ ";
        const most = track.kind === "memory" ? ` · up to ${tiles.bytes(this.most[track.first])}` : "";
        brush.fillStyle = this.colour.ink;
        brush.fillText(sign + track.name + most + (more > 0 && !this.open.has(track.at) ? ` · ${more} more row${more > 1 ? "s" : ""}` : ""), 4, top + TITLE / 2);
      }
    },

    /** Moments of the ruler, some 90 pixels apart or more. */
    eachTick(frame, act) {
      const { origin } = tiles.info, long = frame.end - frame.begin;
      let step = 10 ** Math.max(0, Math.floor(Math.log10(long / 20)));
      for (let turn = 0; (this.width * step) / long < 90; turn++) step *= turn % 3 === 1 ? 2.5 : 2;
      frame.step = step;
      for (let time = Math.ceil((frame.begin - origin) / step) * step; time + origin < frame.end; time += step) act(time, frame.x(time + origin));
    },

    drawPlaces(brush, frame) {
      brush.fillStyle = this.colour.line;
      this.eachTick(frame, (_, x) => brush.fillRect(x, 0, 1, frame.seen));
      for (const place of this.places) {
        if (!place.gap) continue;
        const [from, to] = [frame.x(place.begin), frame.x(place.end)];
        if (to < 0 || from > this.width) continue;
        brush.fillStyle = this.colour.critical;
        brush.globalAlpha = 0.13;
        brush.fillRect(from, RULER, Math.max(1, to - from), frame.seen);
        brush.globalAlpha = 1;
      }
    },

    drawRuler(brush, frame) {
      const { marks } = tiles.info;
      brush.fillStyle = this.colour.ground;
      brush.fillRect(0, 0, this.width, RULER);
      const { step } = frame, digits = (time) => Math.max(3, Math.ceil(Math.log10(Math.max(Math.abs(time), step) / step)) + 2);
      this.eachTick(frame, (time, x) => {
        brush.fillStyle = this.colour.line;
        brush.fillRect(x, 0, 1, RULER / 2);
        brush.fillStyle = this.colour.muted;
        brush.fillText(time ? tiles.words(time, Math.min(12, digits(time))) : "0", x + 3, 9);
      });
      let free = -1;
      marks.forEach(([begin, end], n) => {
        const x = frame.x(begin), far = frame.x(end);
        if (far < 0 || x > this.width || far - x < 3) return;
        brush.fillStyle = this.colour.muted;
        brush.fillRect(x, RULER / 2, 1, RULER / 2);
        const words = `Iteration ${n + 1}`, at = Math.max(x, 0) + 3;
        if (at < free || Math.min(far, this.width) - at < words.length * SIGN) return;
        brush.fillText(words, at, RULER * 0.75);
        free = at + words.length * SIGN + 8;
      });
      for (const place of this.places) {
        const from = frame.x(place.begin), to = frame.x(place.end);
        if (!place.gap || to < 0 || from > this.width) continue;
        const x = Math.min(Math.max(from, 0), this.width - place.name.length * SIGN - 6);
        brush.fillStyle = this.colour.critical;
        brush.fillRect(from, RULER - 3, Math.max(2, to - from), 3);
        brush.fillStyle = this.colour.ground;
        brush.fillRect(x, RULER / 2, place.name.length * SIGN + 6, RULER / 2 - 3);
        brush.fillStyle = this.colour.critical;
        brush.fillText(place.name, x + 3, RULER * 0.72);
      }
      brush.fillStyle = this.colour.line;
      brush.fillRect(0, RULER - 1, this.width, 1);
    },

    drawPicked(brush, frame) {
      const one = this.picked;
      if (!one || this.y[one.row] < 0) return;
      const y = this.y[one.row] - frame.up, x = frame.x(one.s);
      brush.strokeStyle = this.colour.ink;
      brush.lineWidth = 2;
      brush.strokeRect(x, y, Math.max(3, tiles.isTimed(one.row) ? one.d / frame.per : 3), this.tall(one.row) - 1);
      const other = this.partner;
      if (!other || this.y[other.row] < 0) return;
      const [call, ran] = tiles.rows[one.row].track.kind === "stream" ? [other, one] : [one, other];
      const [a, b, c, d] = [frame.x(call.s), this.y[call.row] - frame.up + ROW / 2, frame.x(ran.s), this.y[ran.row] - frame.up + ROW / 2];
      const bend = Math.min(60, Math.max(12, Math.abs(c - a) / 3));
      brush.strokeStyle = this.colour.focus;
      brush.beginPath();
      brush.moveTo(a, b);
      brush.bezierCurveTo(a + bend, b, c - bend, d, c, d);
      brush.moveTo(c - 7, d - 4);
      brush.lineTo(c, d);
      brush.lineTo(c - 7, d + 4);
      brush.stroke();
      brush.strokeRect(frame.x(other.s), this.y[other.row] - frame.up, Math.max(3, other.d / frame.per), ROW - 1);
    },

    drawSpan(brush, frame) {
      this.marks.forEach((time, n) => {
        const x = frame.x(time);
        brush.fillStyle = this.colour.focus;
        brush.fillRect(x, 0, 1.5, frame.seen);
        brush.fillText(String(n + 1), x + 3, 26);
      });
      if (!this.span) return;
      const [begin, end] = this.span.map(frame.x);
      brush.fillStyle = this.colour.focus;
      brush.globalAlpha = 0.12;
      brush.fillRect(begin, 0, end - begin, frame.seen);
      brush.globalAlpha = 1;
      brush.fillRect(begin, 0, 1.5, frame.seen);
      brush.fillRect(end, 0, 1.5, frame.seen);
      const words = tiles.words(this.span[1] - this.span[0], 6), x = Math.min(Math.max((begin + end) / 2 - words.length * 3, 2), this.width - words.length * SIGN);
      brush.fillStyle = this.colour.ground;
      brush.fillRect(x - 3, 1, words.length * SIGN + 6, 15);
      brush.fillStyle = this.colour.focus;
      brush.fillText(words, x, 9);
    },

    /** The whole run: streams above, threads below, and a frame around what is shown. */
    drawStrip() {
      if (!this.sketch) this.sketch = this.makeSketch();
      const brush = this.begin(this.strip, this.width, STRIP);
      brush.drawImage(this.sketch, 0, 0, this.width, STRIP);
      const x = (time) => (time / tiles.info.stop) * this.width;
      for (const place of this.places) if (place.gap) { brush.fillStyle = this.colour.critical; brush.fillRect(x(place.begin), 0, Math.max(2, x(place.end - place.begin)), 4); }
      const [begin, end] = this.shown.map(x);
      brush.fillStyle = this.colour.ground;
      brush.globalAlpha = 0.6;
      brush.fillRect(0, 0, begin, STRIP);
      brush.fillRect(end, 0, this.width - end, STRIP);
      brush.globalAlpha = 1;
      brush.strokeStyle = this.colour.focus;
      brush.lineWidth = 2;
      brush.strokeRect(begin, 1, Math.max(3, end - begin), STRIP - 2);
    },

    makeSketch() {
      const sketch = document.createElement("canvas");
      const brush = this.begin(sketch, this.width, STRIP), root = tiles.held.get("r"), per = tiles.info.stop / this.width;
      for (const [kind, colour, top] of [["stream", tiles.fillOf("kernel"), 2], ["thread", tiles.fillOf("operator"), STRIP / 2 + 1]]) {
        const rows = tiles.rows.flatMap(({ track, level }, row) => (track.kind === kind && (kind === "stream" || !level) ? [row] : []));
        const busy = new Float64Array(this.width + 1);
        for (const row of rows) {
          for (let n = root.first[row]; n < root.first[row + 1]; n++) {
            const share = (root.busy ? root.busy[n] : 1) / rows.length, end = root.s[n] + root.d[n];
            for (let at = Math.floor(root.s[n] / per); at <= end / per; at++) busy[at] += (share * Math.max(0, Math.min(end, (at + 1) * per) - Math.max(root.s[n], at * per))) / per;
          }
        }
        brush.fillStyle = colour;
        busy.forEach((share, at) => { const high = Math.min(1, share) * (STRIP / 2 - 3); if (share > 0) brush.fillRect(at, top + STRIP / 2 - 3 - Math.max(1, high), 1, Math.max(1, high)); });
      }
      return sketch;
    },
  };
})();
