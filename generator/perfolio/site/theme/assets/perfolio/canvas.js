/* What timelines and call trees, drawn on a canvas, share: elements, words, a brush, and moving in them.
 *
 * Why by hand: docs/decisions/0025-timeline-canvas.md. A `View` draws a part of a whole; a `Pane` is
 * moved in by buttons, wheel, mouse and fingers. Names of a profile are set as text, never as HTML.
 */
(function () {
  "use strict";

  const perfolio = (window.perfolio = window.perfolio || {});
  if (perfolio.canvas) return;
  const STEP = 1.6; // how much a button or a key enlarges
  const MOVE = 0.2; // part of what is shown by which a key moves
  const TOLD = 80; // ms after which words follow what is shown: to lay them out takes longer than to draw
  const SIGN = 6.1; // px of a letter
  const NAMED = 26; // px from which on a box has its name
  const PALE = "#101418", DARK = "#ffffff"; // words on a pale box, and on a dark one

  function made(name, properties = {}, ...content) {
    const one = Object.assign(document.createElement(name), properties);
    one.append(...content.flat());
    return one;
  }

  const count = (number, word) => `${number.toLocaleString("en")} ${word}${number === 1 ? "" : "s"}`;
  const share = (part) => Number((100 * part).toPrecision(part > 0.1 ? 3 : 2)) + " %";

  /** The first place from `low` on, below `high`, whose value is not less. */
  function lower(values, wanted, low, high) {
    while (low < high) {
      const middle = (low + high) >> 1;
      if (values[middle] < wanted) low = middle + 1; else high = middle;
    }
    return low;
  }

  async function inflate(packed) {
    const bytes = Uint8Array.from(atob(packed), (sign) => sign.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }

  const inks = new Map();

  /** Words on a colour: dark where these are easier to read than white ones. */
  function inkOn(colour) {
    if (!inks.has(colour)) {
      const [r, g, b] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
        .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
      inks.set(colour, 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.195 ? PALE : DARK);
    }
    return inks.get(colour);
  }

  /** Colours with what each means. */
  const legend = (pairs) => pairs.map(([fill, text]) => {
    const swatch = made("span", { className: "pf-swatch" });
    swatch.style.backgroundColor = fill;
    return made("span", {}, swatch, " " + text);
  });

  /** A part of a whole on a canvas as high as its box, in which rows scroll. */
  class View {
    constructor(box, canvas, room, whole, least) {
      Object.assign(this, { box, canvas, room, whole, least, shown: [0, whole] });
    }

    recolour() {
      const style = getComputedStyle(document.body);
      const read = (name) => style.getPropertyValue("--pf-" + name).trim();
      this.colour = Object.fromEntries(["ground", "panel", "line", "ink", "muted", "focus", "critical"].map((name) => [name, read(name)]));
      this.sketch = null;
      this.ask();
    }

    /** Give rows the room that they take, of at most a part of the window. */
    setHeight(height, most) {
      this.height = height;
      this.room.style.height = height + "px";
      this.box.style.height = `min(${height + 2 * this.box.clientTop}px, ${most * 100}vh)`;
      this.box.classList.toggle("pf-tall", height > window.innerHeight * most);
      this.ask();
    }

    /** Show from `begin` to `end`, or as near to it as there is something. */
    show(begin, end) {
      const { whole, least } = this;
      const long = Math.min(Math.max(end - begin, Math.min(least, whole)), whole);
      const from = Math.min(Math.max((begin + end) / 2 - long / 2, 0), whole - long);
      this.shown = [from, from + long];
      this.ask();
    }

    at(x) { return this.shown[0] + (x / this.width) * (this.shown[1] - this.shown[0]); }

    ask() { if (!this.waiting && this.width) this.waiting = requestAnimationFrame(() => this.draw()); }

    resize() {
      this.width = Math.max(1, Math.round(this.box.clientWidth));
      this.sketch = null;
      this.ask();
    }

    begin(canvas, width, height) {
      const ratio = window.devicePixelRatio || 1;
      if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
        Object.assign(canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) });
        Object.assign(canvas.style, { width: width + "px", height: height + "px" });
      }
      const brush = canvas.getContext("2d", { alpha: false });
      brush.setTransform(ratio, 0, 0, ratio, 0, 0);
      brush.fillStyle = this.colour.ground;
      brush.fillRect(0, 0, width, height);
      brush.font = "11px system-ui, sans-serif";
      brush.textBaseline = "middle";
      return brush;
    }

    /** The name of a box, cut to its width. */
    write(brush, words, x, y, wide) {
      const fit = Math.floor((wide - 6) / SIGN);
      brush.fillText(words.length > fit ? words.slice(0, fit - 1) + "…" : words, x + 3, y);
    }

    /** Bring what lies between two heights into sight, below the ruler. */
    scrollTo(top, bottom) {
      if (this.box.scrollTop > top) this.box.scrollTop = top;
      else if (this.box.scrollTop < bottom - this.box.clientHeight) this.box.scrollTop = bottom - this.box.clientHeight;
    }
  }

  /** What one moves in a view: who extends it has `view`, `box`, `bar`, `show`, `click`, and `words` to look for. */
  class Pane {
    constructor(figure) {
      this.figure = figure;
      this.fingers = new Map();
      this.bar = made("div", { className: "pf-zoom" });
      this.bar.setAttribute("role", "group");
    }

    /** A box that has the focus, and its canvas. */
    makeBox(about) {
      const canvas = made("canvas"), room = made("div", { className: "pf-time-room" });
      this.box = made("div", { className: "pf-time pf-zoomed", tabIndex: 0 }, canvas, room);
      this.box.setAttribute("role", "group");
      this.box.setAttribute("aria-label", about);
      return [this.box, canvas, room];
    }

    status(name) {
      const one = made(name === "pf-told" ? "div" : "p", { className: name });
      one.setAttribute("role", "status");
      return one;
    }

    button(text, act, title) {
      const one = made("button", { type: "button", textContent: text, title: title || "" });
      if (title && text.length === 1) one.setAttribute("aria-label", title); // else what stands on it names it
      one.addEventListener("click", act);
      this.bar.append(one);
      return one;
    }

    toggle(button, on) { button.setAttribute("aria-pressed", String(on)); }

    addMoves() {
      this.button("+", () => this.zoom(STEP), "Zoom in (w)");
      this.button("−", () => this.zoom(1 / STEP), "Zoom out (s)");
      this.button("←", () => this.move(-MOVE), "Move left (a)");
      this.button("→", () => this.move(MOVE), "Move right (d)");
    }

    addSearch() {
      this.words = made("input", { type: "search", autocomplete: "off" });
      this.hits = made("span", { className: "pf-count" });
      this.hits.setAttribute("role", "status");
      this.bar.append(made("label", { className: "pf-find" }, "Search ", this.words));
      this.button("‹", () => this.step(-1), "Hit before (Shift n)");
      this.button("›", () => this.step(1), "Next hit (n)");
      this.output = made("output");
      this.bar.append(this.hits, this.output);
      this.words.addEventListener("input", () => this.search(this.words.value));
      this.words.addEventListener("keydown", (event) => {
        if (event.key === "Enter") this.step(event.shiftKey ? -1 : 1);
        else if (event.key === "Escape") this.box.focus();
        else return;
        event.preventDefault();
      });
    }

    zoom(factor, part = 0.5) {
      const [begin, end] = this.view.shown, place = begin + (end - begin) * part, long = Math.min((end - begin) / factor, this.view.whole);
      this.show(place - long * part, place + long * (1 - part));
    }

    move(parts) {
      const [begin, end] = this.view.shown, way = (end - begin) * parts;
      this.show(begin + way, end + way);
    }

    saySoon() {
      this.saying = this.saying || setTimeout(() => { this.saying = 0; this.sayShown(); }, TOLD);
    }

    /** Keys that all panes have; those of one kind are `keys()`. */
    key(event) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const acts = {
        w: () => this.zoom(STEP), "+": () => this.zoom(STEP), "=": () => this.zoom(STEP), s: () => this.zoom(1 / STEP), "-": () => this.zoom(1 / STEP),
        a: () => this.move(-MOVE), d: () => this.move(MOVE), 0: () => this.show(0, this.view.whole),
        "/": () => { this.words.focus(); this.words.select(); }, n: () => this.step(1), N: () => this.step(-1), ...this.keys(MOVE),
      };
      const act = Object.hasOwn(acts, event.key) && acts[event.key];
      if (!act) return;
      act();
      event.preventDefault();
      event.stopPropagation(); // the theme goes to other pages by some of these keys
    }

    place(event) {
      const box = this.box.getBoundingClientRect();
      return [event.clientX - box.left - this.box.clientLeft, event.clientY - box.top - this.box.clientTop];
    }

    wheel(event) {
      const aside = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
      if (event.ctrlKey || event.metaKey) this.zoom(Math.exp(-event.deltaY * 0.003), this.place(event)[0] / this.view.width);
      else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) this.move(aside / 600);
      else return; // the page scrolls, or the rows of a pane that has the focus
      event.preventDefault();
    }

    /** What a drag does that moves nothing: `drag` and `end`, or null. */
    grasp() { return null; }

    press(event) {
      if (event.button) return;
      const [x, y] = this.place(event);
      this.fingers.set(event.pointerId, x);
      Object.assign(this, { moved: false, pressed: [event.clientX, event.clientY], scrolled: this.box.scrollTop });
      this.tool = this.fingers.size === 1 ? this.grasp(event, x, y) : null;
      this.grip();
    }

    /** What is under the fingers now stays there. */
    grip() { this.held = [...this.fingers.values()].map((x) => this.view.at(x)); }

    drag(event) {
      if (!this.fingers.has(event.pointerId)) return;
      const [x, y] = this.place(event);
      this.fingers.set(event.pointerId, x);
      if (Math.hypot(event.clientX - this.pressed[0], event.clientY - this.pressed[1]) > 4) this.moved = true;
      if (!this.moved) return;
      if (event.buttons && event.pointerType === "mouse") this.box.setPointerCapture(event.pointerId);
      if (this.tool) return void this.tool.drag(x, y);
      const { width, shown } = this.view, [one, two] = [...this.fingers.values()].map((each) => each / width);
      const long = two === undefined || Math.abs(two - one) < 0.02 ? shown[1] - shown[0] : Math.abs((this.held[1] - this.held[0]) / (two - one));
      if (event.pointerType === "mouse") this.box.scrollTop = this.scrolled - (event.clientY - this.pressed[1]);
      this.show(this.held[0] - one * long, this.held[0] + (1 - one) * long);
    }

    release(event, ended) {
      if (!this.fingers.delete(event.pointerId)) return;
      this.grip();
      if (!ended) return;
      if (this.tool && this.moved) this.tool.end();
      else if (!this.moved) this.click(...this.place(event), event);
    }

    on(element, name, act, options) { element.addEventListener(name, act, options); }

    listen() {
      const { box } = this;
      this.on(box, "wheel", (event) => this.wheel(event), { passive: false });
      this.on(box, "keydown", (event) => this.key(event));
      this.on(box, "scroll", () => this.view.ask());
      this.on(box, "pointerdown", (event) => this.press(event));
      this.on(box, "pointermove", (event) => this.drag(event));
      this.on(box, "pointerup", (event) => this.release(event, true));
      this.on(box, "pointercancel", (event) => this.release(event, false));
      new ResizeObserver(() => this.view.resize()).observe(box);
      this.view.resize();
    }

    /** What the page asks of any live chart: to be settled, and its picture. */
    offer(waits = () => false) {
      const settle = async () => { do await new Promise(requestAnimationFrame); while (this.view.waiting || this.saying || waits()); };
      this.figure.perfolioView = { finalize() {}, view: { runAsync: settle, toCanvas: async () => this.view.canvas } };
    }
  }

  perfolio.canvas = { View, Pane, made, count, share, lower, inflate, inkOn, legend, NAMED, SIGN };
})();
