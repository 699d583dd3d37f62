/* Practice sheets: answers are kept, saved and loaded, and checked against the key beside the page.
 *
 *   <div class="pf-sheet" data-sheet data-exercise data-variant data-key="SLUG.key.js">
 *   <fieldset class="pf-item" data-item data-type data-points> ... <p class="pf-feedback">
 *
 * Inputs are named `<item>` or `<item>.<n>`. Answers stand in localStorage under the sheet's id, as
 * the document `perfolio-answers/1` that `perfolio grade` reads. The key and the grader are loaded
 * by the first check; without data-key there is none, and nothing is checked. Nothing leaves the
 * browser. Without scripts the page is a form to print.
 */
(function () {
  "use strict";

  const perfolio = window.perfolio || {};
  const root = document.querySelector(".pf-sheet");
  if (!root || root.dataset.pfState) return;
  root.dataset.pfState = "started";

  const SCHEMA = "perfolio-answers/1";
  const LARGEST = 1000000; // bytes of a file of answers
  const LONGEST = 20000; // signs of an answer
  const { sheet, exercise, variant } = root.dataset;
  const hasKey = Boolean(root.dataset.key);
  const STORED = "perfolio-answers:" + sheet;
  const items = new Map([...document.querySelectorAll(".pf-item[data-item]")]
    .map((box) => [box.dataset.item, box]));

  /* Small parts of a page */

  function made(tag, attributes = {}, ...content) {
    const one = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) one.setAttribute(name, value);
    one.append(...content);
    return one;
  }

  function button(text, act, kind = "") {
    const one = made("button", { type: "button", class: ("pf-button " + kind).trim() }, text);
    one.addEventListener("click", act);
    return one;
  }

  const points = (number) => String(Math.round(number * 100) / 100);

  /* Answers: read from the fields and written into them */

  const fieldsOf = (box) =>
    [...box.querySelectorAll("input[name], select[name], textarea[name]")];
  const isTick = (field) => field.type === "radio" || field.type === "checkbox";
  const isPart = (field) => field.name.includes(".");
  const place = (field) => Number(field.name.split(".").pop());

  /** A text, or the texts of an item with several fields, or the letters that are ticked. */
  function givenIn(box) {
    const fields = fieldsOf(box);
    if (fields.some(isTick)) return fields.filter((one) => one.checked).map((one) => one.value);
    const texts = fields.sort((a, b) => place(a) - place(b))
      .map((one) => one.value.slice(0, LONGEST));
    return fields.some(isPart) ? texts : texts[0] || "";
  }

  function fill(box, given) {
    const said = Array.isArray(given) ? given : [given];
    for (const field of fieldsOf(box)) {
      if (isTick(field)) field.checked = said.includes(field.value);
      else field.value = said[isPart(field) ? place(field) : 0] || "";
    }
  }

  const isEmpty = (given) => !(Array.isArray(given) ? given.some(Boolean) : given.trim());
  const isTold = (box) => !fieldsOf(box).length; // nothing to answer: its explanation says it
  const isAsked = (box) => !isTold(box) && box.dataset.type !== "checklist"; // a tick proves nothing
  const hintsOf = (box) => [...box.querySelectorAll(".pf-hint")];

  function answered() {
    const found = {};
    for (const [name, box] of items) {
      const given = givenIn(box);
      const hints = hintsOf(box).filter((one) => one.dataset.seen).length;
      if (!isEmpty(given) || hints) found[name] = hints ? { given, hints } : { given };
    }
    return found;
  }

  function answersDocument() {
    const learner = bar.learner.value.trim().slice(0, 200);
    const saved = new Date().toISOString();
    return { schema: SCHEMA, sheet, exercise, variant, learner, saved, items: answered() };
  }

  /** Why a document is not one of answers to this sheet; nothing where it is. */
  function refused(told) {
    if (!told || told.schema !== SCHEMA || typeof told.items !== "object" || !told.items) {
      return "This is no file of answers.";
    }
    if (told.sheet !== sheet) {
      return "These are answers to sheet " + String(told.sheet).slice(0, 20) + " (" +
        String(told.exercise).slice(0, 60) + "). This is sheet " + sheet + " (" + exercise + ").";
    }
    const whole = (given) => typeof given === "string" ||
      (Array.isArray(given) && given.every((each) => typeof each === "string"));
    for (const [name, answer] of Object.entries(told.items)) {
      if (!items.has(name)) return "This sheet has no item " + name.slice(0, 60) + ".";
      if (!answer || !whole(answer.given)) return "The answer to " + name + " is no text.";
    }
    return "";
  }

  function show(told) {
    for (const [name, box] of items) {
      const answer = Object.hasOwn(told.items, name) ? told.items[name] : { given: "" };
      fill(box, answer.given);
      hintsOf(box).slice(0, answer.hints || 0).forEach((one) => { one.dataset.seen = "yes"; });
      offerHints(box);
      forget(box);
    }
    bar.learner.value = String(told.learner || "");
  }

  /* Where answers are kept: some browsers refuse it */

  function keep() {
    try {
      localStorage.setItem(STORED, JSON.stringify(answersDocument()));
    } catch {
      bar.say("This browser keeps no answers: save them to a file.");
    }
  }

  function kept() {
    try {
      const told = JSON.parse(localStorage.getItem(STORED) || "null");
      return told && !refused(told) ? told : null;
    } catch {
      return null;
    }
  }

  function save() {
    const text = JSON.stringify(answersDocument(), null, 1) + "\n";
    const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    made("a", { href: url, download: "answers.json" }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
    bar.say("Saved as answers.json.");
  }

  async function loadFile(file) {
    let told = null;
    try {
      told = file.size <= LARGEST ? JSON.parse(await file.text()) : null;
    } catch {
      told = null;
    }
    const problem = refused(told);
    if (!problem) {
      show(told);
      keep();
    }
    bar.say(problem || "Loaded " + Object.keys(told.items).length + " answers.");
  }

  function clear() {
    if (!window.confirm("Clear all answers of this sheet?")) return;
    for (const hint of document.querySelectorAll(".pf-hint")) {
      delete hint.dataset.seen;
      hint.open = false;
    }
    show({ items: {}, learner: bar.learner.value });
    try {
      localStorage.removeItem(STORED);
    } catch { /* nothing is kept */ }
    bar.say("All answers are cleared.");
  }

  /* Hints, one by one: the next shows when the one before was opened */

  function offerHints(box) {
    const hints = hintsOf(box);
    const seen = hints.filter((one) => one.dataset.seen).length;
    hints.forEach((one, n) => { one.hidden = n > seen; });
  }

  /* Checking */

  const results = new Map();

  async function graded() {
    const ours = ["sheet-feedback.js", "grading.js"].map((name) => new URL(name, perfolio.base));
    const beside = new URL(root.dataset.key, document.baseURI);
    for (const url of [...ours, new URL("tables.js", beside), beside]) await perfolio.load(url.href);
    const key = window.perfolioKeys[sheet];
    return { key, found: perfolio.grading.sheet(key, answered(), window.perfolioTables) };
  }

  function forget(box) {
    if (!results.delete(box.dataset.item)) return;
    perfolio.feedback.clear(box);
    tell();
  }

  async function check(names) {
    try {
      const { key, found } = await graded();
      for (const name of names) {
        results.set(name, found[name]);
        perfolio.feedback.show(items.get(name), key.items[name], found[name], tell);
      }
      tell();
    } catch (error) {
      bar.say("The key of this sheet cannot be loaded: " + error.message);
    }
  }

  /** Points so far, of what was checked and of the whole sheet. */
  function tell() {
    const worth = (name) => Number(items.get(name).dataset.points);
    const all = [...items.keys()].reduce((sum, name) => sum + worth(name), 0);
    let earned = 0;
    for (const [name, one] of results) {
      earned += one.points + perfolio.feedback.ownPoints(items.get(name));
    }
    const done = [...results].filter(([, one]) => one.code !== "blank").length;
    end.say(results.size ? points(earned) + " of " + points(all) + " points, " + done + " of " +
      [...items.values()].filter(isAsked).length + " questions answered." : "");
  }

  /* The two bars */

  function makeBar() {
    const status = made("p", { class: "pf-said", role: "status" });
    const learner = made("input",
      { type: "text", id: "pf-learner", autocomplete: "name", maxlength: "200" });
    const file = made("input", {
      type: "file", accept: ".json,application/json", class: "pf-file", "aria-label": "Answers",
    });
    file.addEventListener("change", () => {
      if (file.files.length) loadFile(file.files[0]);
      file.value = "";
    });
    const told = "Your answers stay in this browser. Save them to hand in or to go on elsewhere.";
    learner.addEventListener("input", keep);
    root.append(
      made("p", {}, told),
      made("div", { class: "pf-tools" },
        made("label", { for: "pf-learner" }, "Your name"), learner,
        button("Save answers", save), button("Load answers", () => file.click()),
        button("Clear answers", clear), file),
      status);
    return { learner, say: (text) => { status.textContent = text; } };
  }

  function makeEnd() {
    if (!hasKey) return { say: () => {} };
    const status = made("p", { class: "pf-score", role: "status" });
    const last = [...items.values()].pop();
    const all = button("Check all answers", () =>
      check([...items].filter(([, box]) => isAsked(box)).map(([name]) => name)), "pf-main");
    last.after(made("div", { class: "pf-sheet-end" }, all, status));
    return { say: (text) => { status.textContent = text; } };
  }

  function equip(box) {
    const name = box.dataset.item;
    if (hasKey && (isAsked(box) || isTold(box))) {
      const one = button(isTold(box) ? "Show" : "Check", () => check([name]));
      one.setAttribute("aria-label", isTold(box) ? "Show what is known" : "Check this answer");
      box.querySelector(".pf-feedback").before(one);
    }
    const changed = () => {
      forget(box);
      keep();
    };
    for (const field of fieldsOf(box)) {
      field.addEventListener("input", changed);
      field.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" || field.type !== "text") return;
        event.preventDefault(); // no form is sent
        if (hasKey) check([name]);
      });
    }
    for (const hint of hintsOf(box)) {
      hint.addEventListener("toggle", () => {
        if (!hint.open || hint.dataset.seen) return;
        hint.dataset.seen = "yes";
        offerHints(box);
        keep();
      });
    }
    offerHints(box);
  }

  if (!items.size) return;
  const bar = makeBar();
  const end = makeEnd();
  items.forEach(equip);
  const before = kept();
  if (before) show(before);
  root.dataset.pfState = "ready";
})();
