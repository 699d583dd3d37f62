/* What a `title` says, shown by mouse, keyboard and touch; and what a mark of a chart says.
 *
 * Names of a profile stand in titles. All that is shown is set as text, never read as HTML. Without
 * this script browsers show titles themselves. Running this twice on a page changes nothing.
 */
(function () {
  "use strict";

  const perfolio = (window.perfolio = window.perfolio || {});
  if (perfolio.tips) return;

  const WAIT = 150; // ms from the mouse's coming, or its leaving, to what follows
  const GAP = 8; // px between a word and what is said of it
  const EDGE = 10; // px that stay free at the sides of the window
  const AWAY = 10; // px from the pointer to what a chart says

  function made(name, className, ...content) {
    const one = Object.assign(document.createElement(name), { className });
    one.append(...content);
    return one;
  }

  /* Titles */

  const tip = made("div", "pf-tip");
  Object.assign(tip, { id: "pf-tip", hidden: true });
  tip.setAttribute("role", "tooltip");
  let told = null; // the element whose title is shown, and what its attributes were
  let timer = 0;
  let touched = -Infinity; // when a finger or a pen last was on the page

  const CONTROLS = "a, button, input, label, select, summary, textarea";
  const byTouch = () => performance.now() - touched < 1000;
  const titled = (node) => (node instanceof Element ? node.closest("[title]:not([title=''])") : null);
  const isOf = (node, one) => node instanceof Node && (one.contains(node) || tip.contains(node));

  /** Below the word, or above it where there is more room; within the window at its sides. */
  function place(element) {
    const at = [...element.getClientRects()].pop() || element.getBoundingClientRect();
    const { width, height } = tip.getBoundingClientRect();
    const most = document.documentElement.clientWidth - width - EDGE;
    const left = Math.max(EDGE, Math.min(at.left + at.width / 2 - width / 2, most));
    const above = at.bottom + GAP + height > innerHeight && at.top > innerHeight / 2;
    tip.style.left = left + scrollX + "px";
    tip.style.top = (above ? at.top - GAP - height : at.bottom + GAP) + scrollY + "px";
  }

  /** The title leaves its place meanwhile: a browser would show it too. */
  function show(element) {
    clearTimeout(timer);
    if (told && told.element === element) return;
    hide();
    const names = ["title", "aria-describedby", "aria-label"];
    told = { element, before: names.map((name) => [name, element.getAttribute(name)]) };
    const [[, title], [, described], [, label]] = told.before;
    tip.textContent = title;
    element.removeAttribute("title");
    element.setAttribute("aria-describedby", described ? `${described} ${tip.id}` : tip.id);
    if (label === null && !element.textContent.trim()) element.setAttribute("aria-label", title);
    if (!tip.isConnected) document.body.append(tip);
    tip.hidden = false;
    place(element);
  }

  function hide() {
    clearTimeout(timer);
    tip.hidden = true;
    if (!told) return;
    for (const [name, value] of told.before) {
      if (value === null) told.element.removeAttribute(name);
      else told.element.setAttribute(name, value);
    }
    told = null;
  }

  /** On what is shown the mouse may rest. Browsers make up a mouse where a finger was. */
  document.addEventListener("mouseover", ({ target }) => {
    if (byTouch()) return;
    clearTimeout(timer);
    if (told && isOf(target, told.element)) return;
    const element = titled(target);
    if (element) timer = setTimeout(() => show(element), WAIT);
    else leave();
  });
  document.documentElement.addEventListener("mouseleave", () => { if (!byTouch()) leave(); });

  /** The mouse went elsewhere; what the keyboard is at stays. */
  function leave() {
    clearTimeout(timer);
    if (told && !told.element.contains(document.activeElement)) timer = setTimeout(hide, WAIT);
  }

  /** A finger shows what a word means, and does what a control is for. */
  document.addEventListener("pointerdown", ({ target, pointerType }) => {
    if (pointerType !== "mouse") touched = performance.now();
    clearTimeout(timer);
    if (told && (!isOf(target, told.element) || told.element.matches(CONTROLS))) hide();
  }, true);
  document.addEventListener("click", ({ target }) => {
    const element = byTouch() ? titled(target) : null;
    if (element && !target.closest(CONTROLS)) show(element);
  });
  document.addEventListener("focusin", ({ target }) => {
    const element = titled(target);
    if (element && (!target.matches(CONTROLS) || target.matches(":focus-visible"))) show(element);
  });
  document.addEventListener("focusout", ({ target }) => {
    if (told && told.element.contains(target)) hide();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !told) return;
    hide();
    event.stopPropagation(); // a second one closes what is around
  }, true);
  document.addEventListener("scroll", ({ target }) => {
    if (told && target !== document && target.contains(told.element)) hide();
  }, { capture: true, passive: true });
  window.addEventListener("resize", hide);

  /* Charts */

  const box = made("div", "");
  box.id = "vg-tooltip-element"; // as Vega calls it

  /** Vega's tooltip: a word, or lines by their titles; the one called `title` is the heading. */
  function said(value) {
    if (typeof value !== "object") return [String(value)];
    const { title, ...rest } = value;
    const lines = Object.entries(rest).filter(([, one]) => one !== undefined).map(([name, one]) =>
      made("tr", "", made("td", "key", name), made("td", "value", String(one))));
    const head = title === undefined ? [] : [made("h2", "", String(title))];
    return lines.length ? [...head, made("table", "", made("tbody", "", ...lines))] : head;
  }

  /** Beside the pointer, on the side that has room. */
  function beside(from, size, room) {
    const far = from + AWAY + size > room ? from - AWAY - size : from + AWAY;
    return Math.max(0, far) + "px";
  }

  perfolio.chartTip = function (handler, event, item, value) {
    const shown = value !== null && value !== undefined && value !== "";
    box.classList.toggle("visible", shown);
    if (!shown) return;
    box.replaceChildren(...said(value));
    if (!box.isConnected) document.body.append(box);
    const { width, height } = box.getBoundingClientRect();
    box.style.left = beside(event.clientX, width, innerWidth);
    box.style.top = beside(event.clientY, height, innerHeight);
  };
  perfolio.tips = { show, hide };
})();
