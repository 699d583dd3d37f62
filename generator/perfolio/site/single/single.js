/* A report as one file: its colours, as the system has them or as the reader wants them, and its
 * timeline and call trees, where the file holds some. */
(function () {
  "use strict";

  const KEPT = "perfolio-scheme";
  const DARK = matchMedia("(prefers-color-scheme: dark)");
  const button = document.querySelector(".pf-single-scheme");

  /** What the reader chose before; some browsers keep nothing for files. */
  function chosen() {
    try { return localStorage.getItem(KEPT); } catch { return null; }
  }

  function show(dark) {
    document.body.setAttribute("data-md-color-scheme", dark ? "slate" : "default");
    button.textContent = dark ? "Light colours" : "Dark colours";
  }

  button.addEventListener("click", () => {
    const dark = document.body.getAttribute("data-md-color-scheme") !== "slate";
    show(dark);
    try { localStorage.setItem(KEPT, dark ? "dark" : "light"); } catch { /* as above */ }
  });
  DARK.addEventListener("change", () => { if (!chosen()) show(DARK.matches); });
  show(chosen() ? chosen() === "dark" : DARK.matches);
  button.hidden = false;

  const { perfolio } = window;
  const head = document.getElementById("pf-tile-head");

  /** Draw a figure when it comes near, and again in other colours. */
  function enliven(figure, open) {
    const near = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      near.disconnect();
      open(figure).then(() => { figure.dataset.pfState = "live"; }, () => figure.classList.remove("pf-hydrated"));
    }, { rootMargin: "300px" });
    near.observe(figure);
    new MutationObserver(() => figure.dataset.pfState && open(figure))
      .observe(document.body, { attributes: true, attributeFilter: ["data-md-color-scheme"] });
  }

  for (const figure of document.querySelectorAll("figure.pf-chart[data-chart]")) {
    if (figure.dataset.places && head) {
      perfolio.timeline.head(JSON.parse(head.textContent));
      enliven(figure, perfolio.openTimeline);
    } else if (document.getElementById("pf-tree-" + figure.dataset.chart)) enliven(figure, perfolio.openTree);
  }
})();
