/* What a timeline says: of an interval, of a span, of hits; marks, a table of the row, a slice.
 *
 * Methods of `Timeline` (timeline.js). Names of a profile are set as text, never read as HTML.
 */
(function () {
  "use strict";

  const tiles = window.perfolio.timeline;
  if (tiles.telling) return;
  const { made, count, share } = tiles;
  const TABLE = 20; // items before and after the selected one in its table
  const PATH = 12; // of what an interval lies in, the nearest so many
  const TOP = 4; // names that a span tells

  tiles.telling = {
    /** Select an item, and say all that is known of it. */
    async select(item, tell = true) {
      const turn = (this.turn = (this.turn || 0) + 1);
      Object.assign(this.view, { picked: item, partner: null });
      this.view.ask();
      if (!item) return this.sayNothing();
      const whole = await tiles.refine(item);
      const [path, partner] = await Promise.all([tiles.around(whole), tiles.partner(whole)]);
      const launched = partner && tiles.rows[whole.row].track.kind === "stream" ? await tiles.around(partner) : [];
      if (turn !== this.turn) return undefined;
      Object.assign(this.view, { picked: whole, partner });
      this.view.ask();
      this.say(whole, path, partner, launched);
      if (this.table.open) this.fillTable();
      if (tell) this.tell();
      return whole;
    },

    sayNothing() {
      this.said.replaceChildren(made("p", { className: "pf-note", textContent: "Nothing is selected: click an interval, or press full stop." }));
    },

    say(item, path, partner, launched) {
      const { names, number, spent, words, group } = tiles.info, { track } = tiles.rows[item.row];
      const facts = [];
      const fact = (term, ...value) => facts.push(made("dt", { textContent: term }), made("dd", {}, ...value));
      if (!tiles.isTimed(item.row)) {
        fact("Allocated", tiles.bytes(item.d));
        fact("Since", tiles.moment(item.s));
        return this.said.replaceChildren(made("p", { className: "pf-chosen", textContent: track.name }), made("dl", {}, ...facts));
      }
      const name = names[item.name];
      fact("Row", `${track.name}, ${words[group[item.name]]}`);
      fact("Start", tiles.moment(item.s));
      if (!item.many) fact("Duration", `${tiles.moment(item.d + tiles.info.origin)}, ${share(item.d / tiles.info.stop)} of the run`);
      if (item.many) fact("Merged", `${count(item.many, "interval")} that begin within ${tiles.moment(item.d + tiles.info.origin)}, most time under this name: zoom in to see each`);
      fact("All with this name", `${count(number[item.name], "time")}, ${tiles.words(spent[item.name])}, mean ${tiles.words(spent[item.name] / number[item.name])}`);
      const whole = [...(launched.length ? [...launched, partner] : path)];
      if (whole.length) fact("Call path", (whole.length > PATH ? "… › " : "") + whole.slice(-PATH).map((one) => names[one.name]).join(" › "));
      if (partner) fact(track.kind === "stream" ? "Launch" : "Kernel launched", this.launch(item, partner));
      for (const lead of this.leads(name)) fact(lead.dataset.kind, lead);
      this.said.replaceChildren(made("p", { className: "pf-chosen" }, made("code", { textContent: name })), made("dl", {}, ...facts));
      return undefined;
    },

    /** How far the launch or the kernel is, and a button that goes there. */
    launch(item, partner) {
      const far = Math.abs(item.back), { track } = tiles.rows[partner.row];
      const button = made("button", { type: "button", className: "pf-action", textContent: "Go there (g)" });
      button.addEventListener("click", () => this.go());
      const words = item.back > 0 ? `${tiles.words(far, 6)} earlier` : `${tiles.words(far, 6)} later`;
      return made("span", {}, `${words}: ${tiles.info.names[partner.name]} on ${track.name} `, button);
    },

    /** Links of the page that are about a name. */
    leads(name) {
      return [...this.figure.querySelectorAll(".pf-leads a")].filter((one) => one.dataset.name === name).map((one) => {
        const link = made("a", { href: one.getAttribute("href"), textContent: one.textContent });
        link.dataset.kind = one.dataset.kind || "See";
        return link;
      });
    },

    search(words) {
      const found = (this.found = tiles.search(words));
      this.view.hits = found && found.names;
      this.sayHits();
      this.view.ask();
    },

    sayHits(rank = 0) {
      const { found } = this, at = rank ? `${rank.toLocaleString("en")} of ` : "";
      this.hits.textContent = found ? `${at}${count(found.number, "hit")}, ${count(found.names.size, "name")}, ${tiles.words(found.spent)}` : "";
    },

    async step(way) {
      if (!this.found || !this.found.number) return;
      const from = this.view.picked || { s: this.view.shown[0] - (way > 0 ? 1 : 0), row: way > 0 ? Infinity : -1 };
      const hit = await tiles.step(this.found.names, from, way);
      if (!hit) return;
      this.bring(hit);
      const { found } = this;
      await this.select(hit);
      const rank = await tiles.rank(found.names, hit);
      if (this.found === found) this.sayHits(rank);
    },

    /** Measure what is selected; a second time, from the one before to this one. */
    measurePicked() {
      const one = this.view.picked;
      if (!one || !tiles.isTimed(one.row)) return;
      const before = this.spanned && this.spanned !== one ? this.view.span : null;
      this.spanned = one;
      const [begin, end] = before || [Infinity, -Infinity];
      this.measure(Math.min(begin, one.s), Math.max(end, one.s + one.d), one.row);
    },

    /** Say what the rows of a track do in a span; of no track all streams, where there are none the first thread. */
    async measure(begin, end, row = -1) {
      const span = (this.view.span = [Math.min(begin, end), Math.max(begin, end)].map((time) => Math.min(Math.max(0, time), tiles.info.stop)));
      this.view.ask();
      const all = tiles.rows.flatMap((one, at) => (one.track.kind === "stream" ? [at] : []));
      if (!all.length && !(row >= 0 && tiles.isTimed(row))) row = tiles.rows.findIndex((_, at) => tiles.isTimed(at));
      const track = row >= 0 && tiles.isTimed(row) ? tiles.rows[row].track : null;
      const rows = track && track.kind === "stream" ? all.filter((at) => tiles.rows[at].track === track) : track ? [row] : all;
      const found = await tiles.measure(...span, rows);
      if (this.view.span !== span) return found;
      this.lastMeasure = found;
      this.measured.textContent = this.describe(found, track ? track.name + (track.kind === "thread" ? `, row ${row - track.first + 1}` : "") : "all GPU streams", track ? 1 : tiles.tracks.filter((one) => one.kind === "stream").length);
      return found;
    },

    describe(found, where, lines) {
      const long = found.end - found.begin, about = found.exact ? "" : "about ";
      const top = [...found.names].sort((a, b) => b[1] - a[1]).slice(0, TOP).map(([name, time]) => `${tiles.info.names[name]} ${tiles.words(time)}`);
      const each = found.number ? ` ${count(found.number, "interval")} start${found.number === 1 ? "s" : ""}: mean ${about}${tiles.words(found.sum / found.number)}`
        + (found.exact ? `, shortest ${tiles.words(found.least)}, longest ${tiles.words(found.most)}.` : ".") : "";
      return `Span of ${tiles.words(long, 9)}, from ${tiles.moment(found.begin)}. ${where}: busy ${about}${share(found.busy / Math.max(1, long * lines))}, ${about}${tiles.words(found.busy, 9)}.${each}${top.length ? ` Top: ${top.join("; ")}.` : ""}`;
    },

    /* Marks stay where the browser keeps something for the page. */
    keptAs() { return "perfolio-marks:" + location.pathname; },

    readMarks() {
      try { return JSON.parse(localStorage.getItem(this.keptAs()) || "[]").filter((one) => Number.isFinite(one) && one >= 0 && one <= tiles.info.stop).slice(0, 99); } catch { return []; }
    },

    mark(time) {
      const [begin, end] = this.view.shown, one = this.view.picked;
      const wanted = time ?? (this.view.span ? this.view.span[0] : one ? one.s : Math.round((begin + end) / 2));
      if (!this.marked.includes(wanted)) this.marked.push(wanted);
      this.listMarks();
    },

    listMarks() {
      this.marked.sort((a, b) => a - b);
      try { localStorage.setItem(this.keptAs(), JSON.stringify(this.marked)); } catch { /* as above */ }
      this.view.ask();
      this.list.replaceChildren(...this.marked.flatMap((time, n) => {
        const go = made("button", { type: "button", className: "pf-action", textContent: `${n + 1}: ${tiles.moment(time)}`, title: "Show it" });
        const gone = made("button", { type: "button", className: "pf-action", textContent: "×" });
        gone.setAttribute("aria-label", `Remove mark ${n + 1}`);
        go.addEventListener("click", () => { const half = (this.view.shown[1] - this.view.shown[0]) / 2; this.show(time - half, time + half); });
        gone.addEventListener("click", () => { this.marked.splice(this.marked.indexOf(time), 1); this.listMarks(); });
        const far = n ? ` (${tiles.words(time - this.marked[n - 1], 6)} after ${n})` : "";
        return [n ? " " : "Marks: ", go, far, " ", gone];
      }));
    },

    async fillTable() {
      const one = this.view.picked;
      if (!one) return;
      const items = await tiles.neighbours(one, TABLE), { names } = tiles.info;
      const timed = tiles.isTimed(one.row);
      const heads = ["Start", timed ? "Duration" : "Allocated", timed ? "Name" : ""].map((text) => made("th", { textContent: text, scope: "col" }));
      const rows = items.map((item) => {
        const button = made("button", { type: "button", className: "pf-action", textContent: timed ? names[item.name] : "Select" });
        button.addEventListener("click", () => { this.bring(item); this.select(item); });
        const row = made("tr", {}, made("td", { textContent: tiles.moment(item.s) }), made("td", { textContent: timed ? tiles.words(item.d, 9) : tiles.bytes(item.d) }), made("td", {}, button));
        if (item.s === one.s && item.d === one.d) row.setAttribute("aria-current", "true");
        return row;
      });
      const caption = made("caption", { textContent: `${tiles.rows[one.row].track.name}, row ${tiles.rows[one.row].level + 1}` });
      const table = made("table", {}, caption, made("thead", {}, made("tr", {}, ...heads)), made("tbody", {}, ...rows));
      const box = made("div", { className: "pf-table", tabIndex: 0 }, table);
      box.setAttribute("role", "region");
      box.setAttribute("aria-label", "Intervals beside the selected one");
      this.table.replaceChildren(this.table.firstElementChild, box);
    },

    async save() {
      const text = await tiles.slice(...this.view.shown);
      if (text === null) { this.measured.textContent = "That is too much for a slice: zoom in. All of the run: perfolio export --to perfetto."; return; }
      const link = made("a", { href: URL.createObjectURL(new Blob([text], { type: "application/json" })), download: "timeline-slice.json" });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
      this.measured.textContent = "Saved as timeline-slice.json: open it in ui.perfetto.dev.";
    },
  };
})();
