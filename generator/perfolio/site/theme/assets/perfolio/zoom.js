/* Charts that show a part of what they hold: buttons, keys, wheel, fingers, and the page's address.
 *
 * A chart's specification says so in usermeta.perfolioZoom (generator/perfolio/charts/zoom.py); its
 * parameters `begin` and `end` are the part. perfolio.js calls perfolio.zoom for each live chart,
 * again after it was drawn anew. An address may name a part: #t=1.5-2 (key, then base units).
 */
(function () {
  "use strict";

  const perfolio = window.perfolio;
  const STEP = 1.6; // how much a button or a key enlarges
  const MOVE = 0.2; // part of what is shown by which a key moves
  const QUIET = 250; // ms after which the address follows

  const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

  const UNITS = [[1, "s"], [1e-3, "ms"], [1e-6, "µs"], [1e-9, "ns"]];

  /** A length with four digits, or a moment with as many as a part of length `span` needs. */
  function words(value, span, meta) {
    if (meta.symbol !== "s") return Number(value.toPrecision(4)) + " " + meta.symbol;
    const [size, symbol] = UNITS.find(([each]) => value >= each) || UNITS[3];
    const wanted = span ? Math.ceil(Math.log10(Math.max(value, span) / span)) + 3 : 4;
    return Number((value / size).toPrecision(clamp(wanted, 3, 12))) + " " + symbol;
  }

  /** The part that the address names for this chart, or nothing. */
  function addressed(meta) {
    const found = /^#([a-z]+)=(\d+\.?\d*)-(\d+\.?\d*)$/.exec(location.hash);
    if (!found || found[1] !== meta.key) return null;
    const part = [Number(found[2]) / meta.unit, Number(found[3]) / meta.unit];
    return part[0] < part[1] && part[0] < meta.whole ? part : null;
  }

  class Part {
    constructor(figure, meta) {
      this.figure = figure;
      this.meta = meta;
      this.shown = addressed(meta) || this.start();
      this.fingers = new Map();
      this.buttons();
    }

    start() {
      const first = this.meta.places[0];
      return first ? [first.begin, first.end] : [0, this.meta.whole];
    }

    /** Take a view that was drawn; the part stays. */
    take(view) {
      this.view = view;
      const box = view.container();
      box.tabIndex = 0;
      box.setAttribute("role", "group");
      box.setAttribute("aria-label", this.meta.what + ": arrow keys move, plus and minus zoom, 0 shows all, Home the start");
      box.classList.add("pf-zoomed");
      const on = (name, act, options) => box.addEventListener(name, act, options);
      on("wheel", (event) => this.wheel(event), { passive: false });
      on("keydown", (event) => this.key(event));
      on("dblclick", () => this.show(...this.start()));
      on("pointerdown", (event) => this.press(event));
      on("pointermove", (event) => this.drag(event));
      for (const end of ["pointerup", "pointercancel"]) on(end, (event) => this.release(event));
      this.show(...this.shown, false);
    }

    /** Show from `begin` to `end`, or as near to it as there is something. */
    show(begin, end, tell = true) {
      const { whole, least } = this.meta;
      const span = clamp(end - begin, least, whole);
      const middle = (begin + end) / 2;
      begin = clamp(middle - span / 2, 0, whole - span);
      this.shown = [begin, begin + span];
      if (!this.waiting) this.waiting = requestAnimationFrame(() => this.draw());
      if (!tell) return;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.address(), QUIET);
    }

    draw() {
      this.waiting = 0;
      const [begin, end] = this.shown;
      this.view.signal("begin", begin).signal("end", end).runAsync();
      const { unit, whole } = this.meta;
      this.output.textContent = end - begin >= whole * 0.9999 ? "all " + words(whole * unit, 0, this.meta)
        : words((end - begin) * unit, 0, this.meta) + " from " + words(begin * unit, (end - begin) * unit, this.meta);
    }

    address() {
      const edge = (value) => (value * this.meta.unit).toFixed(9).replace(/\.?0+$/, "");
      const whole = this.shown[1] - this.shown[0] >= this.meta.whole * 0.9999;
      const part = "#" + this.meta.key + "=" + this.shown.map(edge).join("-");
      history.replaceState(null, "", whole ? "#" + this.figure.id : part);
    }

    zoom(factor, at = (this.shown[0] + this.shown[1]) / 2) {
      const [begin, end] = this.shown;
      const span = clamp((end - begin) / factor, this.meta.least, this.meta.whole);
      const left = at - ((at - begin) / (end - begin)) * span;
      this.show(left, left + span);
    }

    move(parts) {
      const way = (this.shown[1] - this.shown[0]) * parts;
      this.show(this.shown[0] + way, this.shown[1] + way);
    }

    /** Where a pointer is: part of the plot's width, and whether it is on the overview. */
    place(event) {
      const box = (this.view.container().querySelector("canvas, svg") || this.view.container()).getBoundingClientRect();
      const [left, top] = this.view.origin();
      return [(event.clientX - box.left - left) / this.view.width(), event.clientY - box.top - top < this.meta.overview];
    }

    at(fraction) {
      return this.shown[0] + fraction * (this.shown[1] - this.shown[0]);
    }

    wheel(event) {
      const aside = event.shiftKey ? event.deltaY : event.deltaX;
      if (event.ctrlKey || event.metaKey) this.zoom(Math.exp(-event.deltaY * 0.003), this.at(this.place(event)[0]));
      else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) this.move(aside / 600);
      else return;
      event.preventDefault();
    }

    key(event) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const acts = {
        ArrowLeft: () => this.move(-MOVE), ArrowRight: () => this.move(MOVE),
        "+": () => this.zoom(STEP), "=": () => this.zoom(STEP), "-": () => this.zoom(1 / STEP),
        0: () => this.show(0, this.meta.whole), Escape: () => this.show(0, this.meta.whole),
        Home: () => this.show(...this.start()),
      };
      if (!acts[event.key] || acts[event.key]() === false) return;
      event.preventDefault();
    }

    press(event) {
      if (event.button) return;
      this.moved = false;
      this.pressed = event.clientX;
      const [fraction, overview] = this.place(event);
      this.fingers.set(event.pointerId, fraction);
      this.overview = overview;
      this.grip();
      if (overview) this.centre(fraction);
    }

    /** What is under the fingers now stays there. */
    grip() {
      const held = [...this.fingers.values()];
      this.held = held.map((fraction) => this.at(fraction));
    }

    centre(fraction) {
      const half = (this.shown[1] - this.shown[0]) / 2;
      const middle = fraction * this.meta.whole;
      if (half * 2 < this.meta.whole) this.show(middle - half, middle + half);
    }

    drag(event) {
      if (!this.fingers.has(event.pointerId)) return;
      const [fraction] = this.place(event);
      this.fingers.set(event.pointerId, fraction);
      if (Math.abs(event.clientX - this.pressed) > 4) this.moved = true;
      if (!this.moved) return;
      if (event.buttons && event.pointerType === "mouse") this.view.container().setPointerCapture(event.pointerId);
      if (this.overview) return void this.centre(fraction);
      const [one, two] = [...this.fingers.values()];
      const span = two === undefined || Math.abs(two - one) < 0.02
        ? this.shown[1] - this.shown[0] : Math.abs((this.held[1] - this.held[0]) / (two - one));
      this.show(this.held[0] - one * span, this.held[0] + (1 - one) * span);
    }

    release(event) {
      this.fingers.delete(event.pointerId);
      this.grip();
    }

    buttons() {
      const bar = document.createElement("div");
      bar.className = "pf-zoom";
      bar.setAttribute("role", "group");
      bar.setAttribute("aria-label", this.meta.what + ": what is shown");
      const button = (text, act, title) => {
        const made = Object.assign(document.createElement("button"), { type: "button", textContent: text, title: title || "" });
        if (title) made.setAttribute("aria-label", title);
        made.addEventListener("click", act);
        bar.append(made);
      };
      button("+", () => this.zoom(STEP), "Zoom in");
      button("−", () => this.zoom(1 / STEP), "Zoom out");
      button("←", () => this.move(-MOVE), "Move left");
      button("→", () => this.move(MOVE), "Move right");
      button("All", () => this.show(0, this.meta.whole));
      for (const place of this.meta.places) button(place.name, () => this.show(place.begin, place.end));
      this.output = document.createElement("output");
      bar.append(this.output);
      this.figure.prepend(bar);
    }
  }

  /** Make a live chart one that can be moved in; called again when it was drawn anew. */
  perfolio.zoom = function (figure, view, meta) {
    figure.perfolioPart = figure.perfolioPart || new Part(figure, meta);
    figure.perfolioPart.take(view);
  };

  window.addEventListener("hashchange", () => {
    for (const figure of document.querySelectorAll("figure[data-zoom]")) {
      const held = figure.perfolioPart;
      const part = held && addressed(held.meta);
      if (part) held.show(...part, false);
    }
  });
})();
