/* What a checked item shows: a sign and words, then the explanation and what was expected.
 *
 *   perfolio.feedback.show(box, keyItem, graded, changed), .clear(box), .ownPoints(box)
 *
 * All words are set as text: nothing of a key or an answer is ever HTML.
 */
(function () {
  "use strict";

  const SIGNS = { right: "✓", part: "◐", wrong: "✗", none: "○" };
  const NAMES = { right: "Right", part: "Partly right", wrong: "Not right", none: "Not graded" };
  const UNGRADED = ["blank", "by-hand", "done"];

  function made(tag, className, ...content) {
    const one = document.createElement(tag);
    if (className) one.className = className;
    one.append(...content);
    return one;
  }

  /** A sentence: words between backticks are code. */
  function sentence(text) {
    return text.split(/`([^`]+)`/).map((part, n) => (n % 2 ? made("code", "", part) : part));
  }

  function stateOf(points, whole, code) {
    if (UNGRADED.includes(code)) return "none";
    if (points >= whole - 1e-9) return "right";
    return points > 0 ? "part" : "wrong";
  }

  const rounded = (number) => String(Math.round(number * 100) / 100);

  function pointsText(points, whole) {
    return rounded(points) + " of " + rounded(whole) + (whole === 1 ? " point" : " points");
  }

  /* What was expected, in words */

  function figure(value, key) {
    const shown = value / key.factor;
    const size = Math.abs(shown);
    const text = size && (size >= 1e9 || size < 1e-4)
      ? shown.toExponential(3)
      : shown.toLocaleString("en-US", { maximumSignificantDigits: 4 });
    return text;
  }

  function range(key) {
    const one = key.accept.find((each) => each.share === 1);
    const ends = [figure(one.low, key), figure(one.high, key)];
    const unit = key.printed ? " " + key.printed : "";
    return ends[0] === ends[1] ? ends[0] + unit : ends.join(" to ") + unit;
  }

  const places = (key) => key.places.map((place, n) => n + 1 + ". " + place.join(" or ")).join(", ");

  function order(key) {
    const ranked = key.options.map((each, n) => ({ says: each.says, value: key.values[n] }));
    return ranked.sort((a, b) => b.value - a.value).map((each, n) => n + 1 + ". " + each.says).join("; ");
  }

  /** Lines that say what counts as right. */
  function expected(key) {
    if (key.accept) return ["Accepted: " + range(key) + "."];
    if (key.cells) {
      return ["Accepted, field by field: " + key.cells.map(range).join("; ") + "."];
    }
    if (key.values) return ["The order: " + order(key) + "."];
    if (key.places) return ["Right: " + places(key) + "."];
    if (key.right) return ["Right: " + key.right.join(key.type === "choices" ? " and " : " or ") + "."];
    return key.model ? ["A good answer: " + key.model] : [];
  }

  /** The lines of a rubric, which learners tick for themselves. */
  function rubric(box, key, changed) {
    const list = made("div", "pf-rubric", made("p", "", "Tick what your answer says:"));
    for (const line of key.rubric) {
      const tick = made("input");
      tick.type = "checkbox";
      tick.dataset.points = line.points;
      tick.addEventListener("change", () => changed());
      list.append(made("div", "pf-option",
        made("label", "", tick, " ", ...sentence(line.says),
          " (" + pointsText(line.points, line.points).split(" of ")[1] + ")")));
    }
    return list;
  }

  /* Marks of single fields of a table or a pair */

  function mark(box, key, graded) {
    graded.parts.forEach((code, n) => {
      const field = box.querySelector("[name$='." + n + "']");
      if (!field || code === "blank") return;
      const good = code === "right" || code === "follows";
      const half = code === "near" || Object.hasOwn(window.perfolioTables.slips, code);
      const state = good ? "right" : half ? "part" : "wrong";
      const sign = made("span", "pf-cell-mark", SIGNS[state]);
      sign.setAttribute("role", "img");
      sign.setAttribute("aria-label", NAMES[state]);
      sign.dataset.state = state;
      const unit = field.nextElementSibling;
      (unit && unit.classList.contains("pf-unit") ? unit : field).after(sign);
    });
  }

  function explanation(box, key, state, changed) {
    const more = made("details", "pf-explain", made("summary", "", "Explanation"));
    more.append(...expected(key).map((line) => made("p", "", ...sentence(line))));
    if (key.rubric) more.append(rubric(box, key, changed));
    if (key.explain) more.append(made("p", "", ...sentence(key.explain)));
    more.open = state === "right" || state === "told" || Boolean(key.rubric);
    return more;
  }

  function clear(box) {
    box.querySelector(".pf-feedback").replaceChildren();
    delete box.dataset.state;
    for (const one of box.querySelectorAll(".pf-explain, .pf-cell-mark")) one.remove();
  }

  function show(box, key, graded, changed) {
    clear(box);
    if (!box.querySelector("[name]")) {
      box.querySelector(".pf-feedback").after(explanation(box, key, "told", changed));
      return;
    }
    const state = stateOf(graded.points, key.points, graded.code);
    const place = box.querySelector(".pf-feedback");
    const sign = made("span", "pf-sign", SIGNS[state]);
    sign.setAttribute("aria-hidden", "true");
    const said = [graded.feedback || NAMES[state] + "."];
    if (state === "wrong" && !/^not right/i.test(said[0])) said.unshift("Not right.");
    if (key.points && state !== "none") said.push(pointsText(graded.points, key.points) + ".");
    place.append(sign, " ", ...sentence(said.join(" ")));
    box.dataset.state = state;
    if (graded.code === "blank") return;
    mark(box, key, graded);
    place.after(explanation(box, key, state, changed));
  }

  /** Points that a learner gave for an answer in words. */
  function ownPoints(box) {
    return [...box.querySelectorAll(".pf-rubric input:checked")]
      .reduce((sum, tick) => sum + Number(tick.dataset.points), 0);
  }

  window.perfolio.feedback = { show, clear, ownPoints };
})();
