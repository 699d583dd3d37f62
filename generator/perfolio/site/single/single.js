/* A report as one file: its colours, as the system has them or as the reader wants them. */
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
})();
