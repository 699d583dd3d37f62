/* Makes static charts live; loads sheet.js for exercises, rows.js for tables of many rows.
 *
 *   <figure class="pf-chart" data-chart="NAME" data-spec="charts/NAME.js">
 *   or with data-tiles (timeline.js), or data-tree (tree.js)
 *     <div class="pf-live"></div>                      the live chart goes here
 *     <img class="pf-static" src="charts/NAME.svg">    stays when anything fails
 *
 * Specifications and the chart library are script files beside the page (fetch does
 * not work on file://), loaded when a chart is near the view and the reader does
 * something: until then its image shows the same. Nothing is ever loaded from a
 * network. Running this twice on a page changes nothing.
 */
(function () {
  "use strict";

  const HERE = document.currentScript.src; // .../assets/perfolio/perfolio.js
  const LIBRARY = new URL("vega-bundle.js", HERE).href;
  const THEMES = new URL("chart-themes.js", HERE).href;
  const SHEET = new URL("sheet.js", HERE).href;
  const ROWS = new URL("rows.js", HERE).href;
  const ZOOM = new URL("zoom.js", HERE).href;
  const TIMELINE = ["timeline-tiles.js", ...["ask", "paint", "view", "tell", "steer"].map((part) => `timeline-${part}.js`), "timeline.js"];
  const TREE = ["tree-sums.js", "tree-view.js", "tree-pane.js", "tree.js", "tree-compare.js"];
  const REACH = "300px"; // a chart is made live this far below the view
  const TOUCHED = matchMedia("(pointer: coarse)").matches; // there, a chart is made live by a touch

  /** What the reader does comes first: work that takes long is done in pieces, and this ends one. */
  const pause = () => new Promise((resolve) => { setTimeout(resolve); });

  const perfolio = (window.perfolio = window.perfolio || {});
  perfolio.specs = perfolio.specs || {};
  if (perfolio.started) return;
  perfolio.started = true;

  const scripts = new Map();

  /** Load a script once, however often it is asked for; `inTurn` after those asked for before, so. */
  function load(url, inTurn = false) {
    if (!scripts.has(url)) {
      scripts.set(url, new Promise((resolve, reject) => {
        const script = document.createElement("script");
        script.src = url;
        script.async = !inTurn;
        script.onload = resolve;
        script.onerror = () => reject(new Error("cannot load " + url));
        document.head.appendChild(script);
      }));
    }
    return scripts.get(url);
  }

  /** Charts carry their data; this refuses everything that would be fetched. */
  const noNetwork = {
    load: () => Promise.reject(new Error("charts load nothing")),
    sanitize: (uri) =>
      /^(?![a-z][a-z0-9+.-]*:|\/\/|\/)/i.test(uri)
        ? Promise.resolve({ href: uri })
        : Promise.reject(new Error("links of charts stay within the report")),
  };

  function mode() {
    return document.body.getAttribute("data-md-color-scheme") === "slate" ? "dark" : "light";
  }

  /** The cells of a column of a table, as a function of the row; search.js reads places. */
  function column(cells) {
    if (Array.isArray(cells)) return (row) => cells[row];
    const { of, at, by, per } = cells; // the different cells, and which of them each row has
    if (!by) return ((places) => (places ? (row) => of[places[row]] : () => of[0]))(at && perfolio.places(at));
    let sum = 0;
    return column(by.map((step) => (sum += step) / per));
  }

  /** Rows of a table that came as columns (generator/perfolio/charts/spec_packing.py). */
  function rows(table) {
    const read = Object.entries(table.columns).map(([name, cells]) => [name, column(cells)]);
    return Array.from({ length: table.rows }, (_, row) =>
      Object.fromEntries(read.map(([name, cell]) => [name, cell(row)])));
  }

  /** A value with the parts that come again wherever they are named. */
  function fill(value, parts) {
    if (Array.isArray(value)) return value.map((each) => fill(each, parts));
    if (!value || typeof value !== "object") return value;
    if ("$part" in value) return fill(parts[value.$part], parts);
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fill(each, parts)]));
  }

  /** Give the views of a specification their parts and rows, once. */
  function unpack(spec) {
    const tables = (spec.tables || []).map(rows);
    const parts = spec.parts || [];
    delete spec.tables;
    delete spec.parts;
    if (parts.length) Object.assign(spec, fill(spec, parts));
    const give = (view) => {
      if (view.data && "table" in view.data) {
        view.data.values = tables[view.data.table];
        delete view.data.table;
      }
      (view.layer || []).forEach(give);
    };
    if (tables.length) give(spec);
  }

  /** A copy of the specification in the page's colours. */
  function specification(name) {
    const spec = JSON.parse(JSON.stringify(perfolio.specs[name]));
    spec.config = { ...spec.config, ...perfolio.themes[mode()] };
    return spec;
  }

  /** A live chart in a box. Its expressions are interpreted: a page makes no code of text. */
  async function embed(box, spec) {
    await pause();
    return window.perfolioVega.embed(box, spec, {
      actions: false, ast: true, renderer: "svg", defaultStyle: false, loader: noNetwork,
      tooltip: perfolio.chartTip,
    });
  }

  let before = Promise.resolve();

  /** One chart after the other: each is one piece of work. */
  perfolio.embed = (box, spec) => {
    const drawn = before.then(() => embed(box, spec));
    before = drawn.catch(() => undefined); // told to who asked for it
    return drawn;
  };
  perfolio.load = load;
  perfolio.base = HERE;
  perfolio.specification = specification;
  perfolio.unpack = unpack;

  /** A chart on a canvas, by scripts of its own: each needs those before it. */
  async function drawOnCanvas(figure, names, open) {
    await Promise.all(["canvas.js", ...names].map((name) => load(new URL(name, HERE).href, true)));
    await perfolio[open](figure);
    offerPicture(figure);
  }

  async function draw(figure) {
    if (figure.dataset.tiles) return drawOnCanvas(figure, TIMELINE, "openTimeline");
    if (figure.dataset.tree) return drawOnCanvas(figure, TREE, "openTree");
    const own = new URL(figure.dataset.spec, document.baseURI).href;
    await Promise.all([load(LIBRARY), load(THEMES), load(own)]);
    unpack(perfolio.specs[figure.dataset.chart]);
    const live = figure.querySelector(".pf-live");
    const box = document.createElement("div");
    box.style.width = "100%";
    figure.classList.add("pf-hydrated"); // the box needs its width before it is drawn in
    live.append(box);
    const view = await perfolio.embed(box, specification(figure.dataset.chart));
    for (const old of [...live.children]) if (old !== box) old.remove();
    if (figure.perfolioView) figure.perfolioView.finalize();
    figure.perfolioView = view;
    offerPicture(figure);
    const zoom = (perfolio.specs[figure.dataset.chart].usermeta || {}).perfolioZoom;
    if (!zoom) return;
    await load(ZOOM);
    await perfolio.zoom(figure, view.view, zoom);
  }

  /** The chart as it is now, on the ground of the page, twice as fine as on the screen. */
  async function savePicture(figure) {
    const drawn = await figure.perfolioView.view.toCanvas(2);
    const picture = document.createElement("canvas");
    Object.assign(picture, { width: drawn.width, height: drawn.height });
    const brush = picture.getContext("2d");
    brush.fillStyle = getComputedStyle(document.body).getPropertyValue("--pf-ground");
    brush.fillRect(0, 0, drawn.width, drawn.height);
    brush.drawImage(drawn, 0, 0);
    picture.toBlob((blob) => perfolio.save(figure.dataset.chart + ".png", blob), "image/png");
  }

  /** A button beside the files of a chart that is live. */
  function offerPicture(figure) {
    const files = figure.nextElementSibling?.querySelector(".pf-files");
    if (!files || files.querySelector("button")) return;
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className: "pf-action", textContent: "PNG" });
    button.addEventListener("click", () => savePicture(figure));
    files.append(" ", button);
  }

  /** Draw a chart; on any failure the static image is shown. */
  function hydrate(figure) {
    figure.dataset.pfState = "drawing";
    return draw(figure).then(
      () => { figure.dataset.pfState = "live"; },
      (error) => {
        figure.classList.remove("pf-hydrated");
        figure.querySelector(".pf-live").replaceChildren();
        figure.dataset.pfState = "static";
        console.info("perfolio: static image kept for " + figure.id + ": " + error.message);
      });
  }

  function redrawAll() {
    document.querySelectorAll('figure.pf-chart[data-pf-state="live"]').forEach(hydrate);
  }

  /** When the reader has moved a pointer, touched, scrolled or pressed a key. */
  const reader = new Promise((resolve) => {
    for (const sign of ["pointermove", "pointerdown", "wheel", "scroll", "keydown", "focusin"]) {
      const capture = sign !== "scroll"; // the theme scrolls boxes of its own
      window.addEventListener(sign, resolve, { capture, once: true, passive: true });
    }
  });

  async function hydrateForReader(figure) {
    if (figure.dataset.spec) await reader; // the library takes long to start
    if (figure.dataset.pfState === "waiting") hydrate(figure);
  }

  const inView = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      inView.unobserve(entry.target);
      hydrateForReader(entry.target);
    }
  }, { rootMargin: REACH });

  /** An address like #t=1.5-2 names a part of a chart: that is shown, wherever it stands. */
  function openPart() {
    const part = /^#([a-z]+)=/.exec(location.hash);
    const figure = part && document.querySelector('figure[data-zoom="' + part[1] + '"]');
    if (!figure) return;
    figure.scrollIntoView();
    if (figure.dataset.pfState !== "waiting") return;
    inView.unobserve(figure);
    hydrate(figure);
  }

  function start() {
    for (const figure of document.querySelectorAll("figure.pf-chart:is([data-spec], [data-tiles], [data-tree])")) {
      if (figure.dataset.pfState) continue;
      figure.dataset.pfState = "waiting";
      if (!TOUCHED) inView.observe(figure);
      else figure.addEventListener("pointerdown", () => hydrate(figure), { once: true });
    }
    if (document.querySelector(".pf-sheet")) load(SHEET);
    if (document.querySelector(".pf-rows")) load(ROWS);
    openPart();
  }

  let scheme = document.body.getAttribute("data-md-color-scheme");
  new MutationObserver(() => {
    const now = document.body.getAttribute("data-md-color-scheme");
    if (now === scheme) return;
    scheme = now;
    redrawAll();
  }).observe(document.body, { attributes: true, attributeFilter: ["data-md-color-scheme"] });

  window.addEventListener("hashchange", openPart);
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
