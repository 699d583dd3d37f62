/* What a reader asks a timeline: names, what lies around an interval, a span, a slice for Perfetto.
 *
 * All answers are from exact tiles where a part has few of them, else from merged ones, and say so.
 */
(function () {
  "use strict";

  const perfolio = window.perfolio;
  const tiles = perfolio.timeline;
  if (tiles.search) return;
  const FEW = 32; // exact tiles that an answer loads at once
  const PYTHON = /, Python$/; // how the track of a thread's functions of Python is called
  const COARSE = 1000; // parts of a span that merged tiles must tell apart
  const UNITS = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]];

  /** A length with some digits: `1.25 ms`. */
  tiles.words = (time, digits = 4) => {
    const [size, symbol] = UNITS.find(([each]) => Math.abs(time) >= each) || UNITS[3];
    return Number((time / size).toPrecision(digits)) + " " + symbol;
  };
  /** A moment to the nanosecond, from where the report counts. */
  tiles.moment = (time) => {
    const whole = time - tiles.info.origin;
    const [size, symbol] = UNITS.find(([each]) => Math.abs(whole) >= each) || UNITS[3];
    return Number((whole / size).toFixed(Math.round(Math.log10(size)))) + " " + symbol;
  };

  tiles.isTimed = (row) => tiles.rows[row].track.kind !== "memory";

  /** Names that hold the words, and how many intervals have one. */
  tiles.search = (words) => {
    const { info } = tiles;
    const wanted = words.trim().toLowerCase();
    info.low = info.low || info.names.map((name) => name.toLowerCase());
    const found = { names: new Set(), number: 0, spent: 0 };
    if (!wanted) return null;
    info.low.forEach((name, code) => {
      if (!name.includes(wanted)) return;
      found.names.add(code);
      found.number += info.number[code];
      found.spent += info.spent[code];
    });
    return found;
  };

  const isAfter = (one, other) => one.s > other.s || (one.s === other.s && one.row > other.row);

  /** The hit of a tile that is next to a place, in a direction. */
  function nearest(tile, names, from, way) {
    let best = null;
    for (let row = 0; row < tiles.rows.length; row++) {
      if (!tiles.isTimed(row)) continue;
      for (let n = tile.first[row]; n < tile.first[row + 1]; n++) {
        if (!names.has(tile.name[n]) || tile.s[n] < tile.begin) continue; // it begins in the tile before
        const one = { s: tile.s[n], row, n };
        if (from && !(way > 0 ? isAfter(one, from) : isAfter(from, one))) continue;
        if (!best || (way > 0 ? isAfter(best, one) : isAfter(one, best))) best = one;
      }
    }
    return best && tiles.item(tile, best.row, best.n);
  }

  /** The next hit from a place on, or the one before; around the end it goes on at the other one. */
  tiles.step = async (names, from, way) => {
    const paths = tiles.leaves();
    let at = paths.findIndex((path) => tiles.bounds(path)[1] > from.s);
    if (at < 0) at = paths.length - 1;
    for (let tried = 0; tried <= paths.length; tried++, at = (at + way + paths.length) % paths.length) {
      const tile = await tiles.load(paths[at]);
      const found = tile && nearest(tile, names, tried ? null : from, way);
      if (found) return found;
    }
    return null;
  };

  /** Which of the hits of the run an item is, from 1; 0 where that would take many tiles. */
  tiles.rank = async (names, item) => {
    const paths = tiles.leaves();
    if (paths.length > FEW || paths.length < tiles.exact.size) return 0;
    let rank = 0;
    for (const tile of await Promise.all(paths.map((path) => tiles.load(path)))) {
      if (!tile) return 0;
      for (let row = 0; row < tiles.rows.length; row++) {
        for (let n = tile.first[row]; tiles.isTimed(row) && n < tile.first[row + 1]; n++) {
          if (names.has(tile.name[n]) && tile.s[n] >= tile.begin && !isAfter({ s: tile.s[n], row }, item)) rank++;
        }
      }
    }
    return rank;
  };

  /** An item as the store has it, where its tile can be had. */
  tiles.refine = async (item) => (item.exact || item.many ? item
    : (await tiles.find(item.row, item.s, (one) => one.name === item.name && one.d === item.d)) || item);

  /** What launched an operation, or what a call launched first. */
  tiles.partner = (item) => (item.link < 0 ? Promise.resolve(null)
    : tiles.find(item.link, item.s - item.back, (one) => one.link >= 0));

  /** What an item of a thread lies in, functions of Python included, outermost first. */
  tiles.around = async (item) => {
    const { track } = tiles.rows[item.row], own = track.name.replace(PYTHON, "");
    const tile = await tiles.load(tiles.leaf(item.s));
    if (!tile || track.kind !== "thread") return [];
    const found = [];
    tiles.rows.forEach((one, row) => {
      if (one.track === track ? row >= item.row : one.track.name.replace(PYTHON, "") !== own) return;
      const n = tiles.before(tile, row, item.s);
      if (n >= 0 && tile.s[n] + tile.d[n] >= item.s + item.d) found.push(tiles.item(tile, row, n));
    });
    return found.sort((one, other) => one.s - other.s || other.d - one.d);
  };

  /** Each item of rows that reaches into a part, once, with the time that it has in it, and from when. */
  function each(parts, rows, begin, end, act) {
    for (const [tile, low, high] of parts) {
      for (const row of rows) {
        const from = tiles.lower(tile.s, low, tile.first[row], tile.first[row + 1]) - 1;
        for (let n = Math.max(from, tile.first[row]); n < tile.first[row + 1] && tile.s[n] < high; n++) {
          const time = Math.min(high, tile.s[n] + tile.d[n]) - Math.max(low, tile.s[n]);
          const begins = tile.s[n] >= low && tile.s[n] < high;
          if (time > 0 || begins) act(tile, row, n, Math.max(0, time), begins, Math.max(low, tile.s[n]));
        }
      }
    }
  }

  /** Tiles of a part: exact ones where they are few, else those that are here. */
  async function gather(begin, end) {
    const paths = tiles.leaves(begin, end);
    const whole = paths.reduce((sum, path) => { const [one, other] = tiles.bounds(path); return sum + Math.min(end, other) - Math.max(begin, one); }, 0);
    const inside = Math.min(end, tiles.info.stop + 1) - Math.max(begin, 0);
    if (paths.length > FEW || whole < inside) return { exact: false, parts: tiles.cover(begin, end, (end - begin) / COARSE) };
    const found = await Promise.all(paths.map((path) => tiles.load(path)));
    return { exact: found.every(Boolean), parts: found.filter(Boolean).map((tile) => [tile, Math.max(begin, tile.begin), Math.min(end, tile.end)]) };
  }

  /** How long at least one of some parts lasts. */
  function join(parts) {
    let sum = 0, last = -Infinity;
    for (const [from, to] of parts.sort((one, other) => one[0] - other[0])) {
      sum += Math.max(0, to - Math.max(from, last));
      last = Math.max(last, to);
    }
    return sum;
  }

  /** What rows do in a span: time, busy share of a row, lengths of what begins in it, top names. */
  tiles.measure = async (begin, end, rows) => {
    const { exact, parts } = await gather(begin, end);
    const found = { begin, end, exact, rows: rows.length, busy: 0, number: 0, sum: 0, least: Infinity, most: 0, names: new Map() };
    const lanes = new Map(); // of streams in which kernels overlap: when something runs
    each(parts, rows, begin, end, (tile, row, n, time, begins, from) => {
      const share = tile.busy ? tile.busy[n] : 1;
      const merged = tile.count ? tile.count[n] : 0;
      const { track } = tiles.rows[row];
      if (track.kind !== "stream" || track.count === 1) found.busy += time * share;
      else {
        if (!lanes.has(track)) lanes.set(track, []);
        lanes.get(track).push([from, from + time * share]);
      }
      found.names.set(tile.name[n], (found.names.get(tile.name[n]) || 0) + time * share);
      if (!begins) return;
      found.number += merged || 1;
      found.sum += tile.d[n] * share;
      if (!merged) found.least = Math.min(found.least, tile.d[n]);
      if (!merged) found.most = Math.max(found.most, tile.d[n]);
    });
    for (const parts of lanes.values()) found.busy += join(parts);
    return found;
  };

  /** The items of a row from one on, some before it and some after it. */
  tiles.neighbours = async (item, many) => {
    const tile = await tiles.load(tiles.leaf(item.s));
    if (!tile) return [item];
    const at = Math.max(tiles.before(tile, item.row, item.s), tile.first[item.row]);
    const first = Math.max(tile.first[item.row], at - many);
    const last = Math.min(tile.first[item.row + 1], at + many + 1);
    return Array.from({ length: last - first }, (_, n) => tiles.item(tile, item.row, first + n));
  };

  /** The item after or before one of its row, in another tile where that is the last one. */
  tiles.beside = async (item, way) => {
    for (let path = tiles.leaf(item.s), first = true; path !== undefined; first = false) {
      const tile = await tiles.load(path);
      if (!tile) return null;
      const [low, high] = [tile.first[item.row], tile.first[item.row + 1]];
      const own = (n) => n >= low && n < high && tile.s[n] >= tile.begin;
      let n = way > 0 ? low : high - 1;
      if (first) n = tiles.before(tile, item.row, item.s) + way;
      while (n >= low && n < high && !own(n)) n += way;
      if (own(n)) return tiles.item(tile, item.row, n);
      const paths = tiles.leaves();
      path = paths[paths.indexOf(path) + way];
    }
    return null;
  };

  /** A part in the format that Perfetto and Chrome open; nothing where it has too many items. */
  tiles.slice = async (begin, end) => {
    const { exact, parts } = await gather(begin, end);
    if (!exact) return null;
    const events = [];
    const micro = (time) => (time - tiles.info.origin) / 1e3;
    const place = (row) => ({ pid: tiles.rows[row].track.kind === "thread" ? 1 : 2, tid: tiles.rows[row].track.at });
    for (const [pid, name] of [[1, "host"], [2, "GPU"]]) events.push({ ph: "M", name: "process_name", pid, tid: 0, args: { name } });
    for (const track of tiles.tracks) events.push({ ph: "M", name: "thread_name", ...place(track.first), args: { name: track.name } });
    const seen = new Set();
    each(parts, tiles.rows.map((_, row) => row), begin, end, (tile, row, n) => {
      const key = row + " " + tile.s[n] + " " + tile.d[n] + " " + tile.name[n];
      if (seen.has(key)) return; // it reaches into two tiles
      seen.add(key);
      if (!tiles.isTimed(row)) return void events.push({ ph: "C", name: tiles.rows[row].track.name, ...place(row), ts: micro(tile.s[n]), args: { bytes: tile.d[n] } });
      events.push({ ph: "X", name: tiles.info.names[tile.name[n]], cat: tiles.info.groups[tiles.info.group[tile.name[n]]], ...place(row), ts: micro(tile.s[n]), dur: tile.d[n] / 1e3 });
      const from = tile.link[n] - 1;
      if (from < 0 || tiles.rows[row].track.kind !== "stream") return;
      const launch = { name: "launch", cat: "launch", id: seen.size };
      events.push({ ph: "s", ...launch, ...place(from), ts: micro(tile.s[n] - tile.back[n]) });
      events.push({ ph: "f", bp: "e", ...launch, ...place(row), ts: micro(tile.s[n]) });
    });
    return JSON.stringify({ displayTimeUnit: "ns", traceEvents: events });
  };
})();
