/* Makes what scrolls sideways and what is folded reachable, by keyboard and by links.
 *
 * Running this twice on a page changes nothing that the first time did not.
 */
(function () {
  "use strict";

  const SCROLLERS = ".md-typeset__scrollwrap, pre > code, figure.pf-chart";

  /** Tables, code and pictures that scroll sideways must be reachable without a mouse. */
  const sizes = new ResizeObserver((entries) => {
    const boxes = entries.map(({ target }) => target);
    const wide = boxes.map((box) => box.scrollWidth > box.clientWidth + 1); // all, then write
    boxes.forEach((box, at) => {
      if (box.localName === "div") box.classList.toggle("pf-scrolls", wide[at]);
      if (wide[at]) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    });
  });

  /** The same of a box that a script adds. */
  window.perfolio = window.perfolio || {};
  window.perfolio.reach = (box) => sizes.observe(box);

  /** Boxes of task lists have no label of their own. */
  function nameBoxes() {
    for (const box of document.querySelectorAll(".task-list-item [type=checkbox]")) {
      box.setAttribute("aria-label", box.checked ? "done" : "to do");
    }
  }

  /** Material's buttons beside code are no landmarks: on a page of queries there are hundreds. */
  function mendCopyButtons() {
    for (const nav of document.querySelectorAll(".md-code__nav")) nav.setAttribute("role", "none");
  }

  /** A link into something that is folded opens it, and all around it. */
  function openTarget() {
    let part = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!part) return;
    while ((part = part.closest("details"))) {
      part.open = true;
      part = part.parentElement;
    }
  }

  /** Material asks for the width of all code, one by one, as a page opens. Until then what is folded
   * has none: a browser would lay out some of it each time, which a telephone feels. */
  function foldAway() {
    const root = document.documentElement;
    root.setAttribute("data-pf-opening", "");
    // On the window it comes after all who listen on the document.
    window.addEventListener("DOMContentLoaded", () => root.removeAttribute("data-pf-opening"));
  }

  function start() {
    nameBoxes();
    openTarget();
  }

  window.addEventListener("hashchange", openTarget);
  window.addEventListener("load", () => {
    mendCopyButtons();
    // After Material's observer, which takes the tabindex of code on devices without a mouse.
    document.querySelectorAll(SCROLLERS).forEach((box) => sizes.observe(box));
  });
  if (document.readyState === "loading") {
    foldAway();
    document.addEventListener("DOMContentLoaded", start);
  } else start();
})();
