/* A report as one file: its colours, as the system has them or as the reader wants them, and its
 * timeline, where the file holds one. */
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

  const figure = document.querySelector("figure[data-places]");
  const head = document.getElementById("pf-tile-head");
  if (!figure || !head) return;
  const { perfolio } = window;
  perfolio.timeline.head(JSON.parse(head.textContent));
  const near = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    near.disconnect();
    perfolio.openTimeline(figure).then(() => { figure.dataset.pfState = "live"; }, () => figure.classList.remove("pf-hydrated"));
  }, { rootMargin: "300px" });
  near.observe(figure);
  new MutationObserver(() => figure.perfolioTimeline && perfolio.openTimeline(figure))
    .observe(document.body, { attributes: true, attributeFilter: ["data-md-color-scheme"] });
})();
