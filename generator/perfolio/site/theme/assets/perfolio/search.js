/* Search that loads nothing before it is used, and finds what is near first.
 *
 * Material's script hands every query to a Worker, and shows what that finds. Here
 * its Worker is replaced by one that waits until somebody begins to search. Then it
 * loads the indexes of this page (generator/perfolio/site/search_index.py writes them) and starts
 * the worker proper, and stands between the two from then on:
 *
 *   queries    ask for the words themselves before words that begin with them
 *   results    name their report; those of the same report, or of the hand-written
 *              pages for one of these, come before all others, and within these
 *              what has all words before what lacks one
 *
 * On file:// browsers refuse a Worker: iframe-worker.js has one made of a frame.
 */
(function () {
  "use strict";

  const HERE = document.currentScript.src; // .../assets/perfolio/search.js
  const BASE = new URL("../../", HERE);
  const SETUP = 0, QUERY = 2, RESULT = 3; // kinds of messages of Material's worker
  const EXACT = 10000; // a word itself counts so much more than one that begins with it
  const WORD = 1e12; // added to a score for each word that was found, before all else
  const NEAR = 1e15; // and for what is in the same scope
  const CONFIG = {
    lang: ["en"],
    separator: "[\\s\\-_.:,/()<>\\[\\]]+",
    pipeline: ["stopWordFilter"],
    fields: { title: { boost: 1000 }, text: { boost: 1 } },
  };
  const SIGNS = "!#$%&'()*+,-.:;<=>?@[]^_`{|}~ "; // digits of places
  const NativeWorker = window.Worker;
  const perfolio = (window.perfolio = window.perfolio || {});

  function load(url) {
    return new Promise((resolve) => {
      const script = document.createElement("script");
      script.src = url;
      script.onload = script.onerror = resolve; // without an index the others are searched
      document.head.appendChild(script);
    });
  }

  /** The indexes of a page: its report's, that of all other pages, what all reports say. */
  async function indexes(scope) {
    const paths = ["assets/perfolio/search-pages.js", "assets/perfolio/search-reports.js"];
    if (scope) paths.unshift(scope + "search.js");
    await Promise.all(paths.map((path) => load(new URL(path, BASE).href)));
    return (window.perfolioSearch || []).filter((group) => !(group.brief && group.scope === scope));
  }

  /** Numbers in signs, those of the first half at an end (generator/perfolio/charts/spec_packing.py). */
  perfolio.places = (text) => {
    const last = SIGNS.length >> 1;
    const found = [];
    let place = 0;
    for (const sign of text) {
      const digit = SIGNS.indexOf(sign);
      if (digit < last) {
        found.push(place * last + digit);
        place = 0;
      } else place = place * (SIGNS.length - last) + digit - last + 1;
    }
    return found;
  };

  /** Material's script reads what it shows as HTML: an index holds no elements, and none gets there. */
  const asText = (html) => html.replaceAll("<", "&lt;");

  /** `input data` becomes `input^10000 input data^10000 data`; what has operators stays. */
  function exactFirst(query) {
    if (query.includes('"')) return query;
    return query.trim().split(/\s+/)
      .map((word) => (/^[+-]|[*~^:]|^$/.test(word) ? word : `${word}^${EXACT} ${word}`))
      .join(" ");
  }

  async function startWorker(url) {
    if (window.location.protocol !== "file:") return new NativeWorker(url);
    await load(new URL("iframe-worker.js", HERE).href);
    return new window.IFrameWorker(url);
  }

  class PatientWorker extends EventTarget {
    constructor(url) {
      super();
      this.url = url;
      this.known = new Map(); // the group and the title of an entry by its address
      const box = document.querySelector("[data-md-component=search]");
      const named = document.querySelector("[data-pf-scope]"); // none where a site has no hooks
      this.scope = named ? named.dataset.pfScope : "";
      const start = () => this.start();
      document.getElementById("__search").addEventListener("change", start, { once: true });
      box.querySelector("input").addEventListener("focus", start, { once: true });
    }

    start() {
      this.started = this.started || this.setUp();
    }

    async setUp() {
      const docs = [];
      for (const group of await indexes(this.scope)) {
        group.title = asText(group.title);
        const words = "words" in group && group.words.split(" ");
        const read = (text) => perfolio.places(text).map((place) => words[place]).join(" ");
        for (const [where, heading, said] of group.docs) {
          const location = group.scope + where;
          const [title, text] = [heading, words ? read(said) : said].map(asText);
          docs.push({ location, title, text });
          this.known.set(location, { group, title });
        }
      }
      this.worker = await startWorker(this.url);
      this.worker.addEventListener("message", ({ data }) => {
        if (data.type === RESULT) data.data.items = this.arranged(data.data.items);
        this.dispatchEvent(new MessageEvent("message", { data }));
      });
      this.worker.postMessage(
        { type: SETUP, data: { config: CONFIG, docs, options: { suggest: false } } });
    }

    /** Pages with their sections: near ones first, then those with more of the words. */
    arranged(items) {
      for (const sections of items) {
        for (const one of sections) {
          const { group, title } = this.known.get(one.location);
          const words = Object.values(one.terms).filter(Boolean).length;
          const near = this.scope ? one.location.startsWith(this.scope) : !group.scope;
          one.score += words * WORD + (near ? NEAR : 0);
          if (!one.location.includes("#") && group.title && group.title !== title) {
            one.title += " · " + group.title;
          }
        }
        sections.sort((a, b) => b.score - a.score);
      }
      return items.sort((a, b) => b[0].score - a[0].score);
    }

    /** Material sends nothing but queries, and none before the worker says that it is ready. */
    postMessage(message) {
      const data = message.type === QUERY ? exactFirst(message.data) : message.data;
      this.worker.postMessage({ ...message, data });
    }

    terminate() {
      if (this.worker) this.worker.terminate();
    }
  }

  window.Worker = PatientWorker;
})();
