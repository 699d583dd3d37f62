/* Grades the answers of a sheet as `perfolio grade` does: the same key, the same points and codes.
 *
 * A port of generator/perfolio/exercises: number_parser.py, number_keys.py, cell_items.py, option_items.py and `grade` of
 * items/*.py, by the same names. tests/exercises/grading.yaml runs through both. A script beside
 * the keys brings the tables that they do not hold (`perfolioTables`): no figure stands here twice.
 *
 *   perfolio.grading.sheet(key, items, tables)   {id: {points, code, feedback, parts}}
 *   perfolio.grading.item(keyItem, given, tables)
 */
(function () {
  "use strict";

  const LONGEST = 80;
  const CHARACTERS = {
    "\u00a0": " ", "\u202f": " ", "\u2009": " ", "\t": " ", "\u2212": "-", "\u2013": "-",
    "\u00b5": "u", "\u03bc": "u", "\u2019": "'",
  };
  const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";
  const POWER = /10([⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)/g;
  const TYPED = new RegExp(
    "^[~≈<>x×]? *([+-]?) *([0-9.,][0-9.,' ]*?)" +
    "(?: *[x×·⋅*] *10 *\\^? *([+-]?[0-9]{1,3})|[eE]([+-]?[0-9]{1,3}))? *([^0-9.,' ][^0-9]*)?$");
  const SPACED = /^[0-9]{1,3}(?:[ '][0-9]{3})+(?:[.,][0-9]+)?$/;
  const GROUPED = {
    ",": /^[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?$/,
    ".": /^[0-9]{1,3}(?:\.[0-9]{3})+(?:,[0-9]+)?$/,
  };
  const EITHER = /^[1-9][0-9]{0,2},[0-9]{3}$/;
  const PLAIN = /^(?:[0-9]+[.,]?[0-9]*|[.,][0-9]+)$/;
  const SPACE = "[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
  const ENDS = new RegExp("^" + SPACE + "+|" + SPACE + "+$", "g");

  const graded = (points, code, feedback = "", parts = []) => ({ points, code, feedback, parts });
  const strip = (text) => text.replace(ENDS, "");
  const isList = Array.isArray;

  /** What an answer says as one text; a list of texts is none. */
  function textOf(said) {
    if (isList(said)) return said.length ? "[]" : "";
    return strip(String(said || ""));
  }

  function listOf(said) {
    return isList(said) ? said.map(String) : Array.from(String(said || ""));
  }

  /* number_parser.py */

  function readings(body) {
    if (SPACED.test(body)) return [body.replace(/[ ']/g, "").replace(",", ".")];
    if (EITHER.test(body)) return [body.replaceAll(",", ""), body.replace(",", ".")];
    if (PLAIN.test(body)) return [body.replace(",", ".")];
    for (const [group, pattern] of Object.entries(GROUPED)) {
      if (pattern.test(body)) return [body.replaceAll(group, "").replace(",", ".")];
    }
    return [];
  }

  /** `{values, unit}` of a text; null where it is no number. */
  function typed(text) {
    if (Array.from(text).length > LONGEST) return null;
    const lowered = text.replace(POWER, (_, raised) =>
      "10^" + raised.replace("⁻", "-").replace(/[⁰-⁹¹²³]/g, (sign) => RAISED.indexOf(sign)));
    const line = Array.from(lowered, (sign) => CHARACTERS[sign] || sign).join("");
    const match = TYPED.exec(strip(line));
    if (!match) return null;
    const read = readings(strip(match[2]));
    const power = parseInt(match[3] || match[4] || "0", 10);
    const values = read.map((digits) => Number(match[1] + digits + "e" + power));
    return values.length ? { values, unit: (match[5] || "").replaceAll(" ", "").replace(/\.+$/, "") } : null;
  }

  /** Of a unit in the wrong case, the largest factor that it may stand for. */
  function factorOf(unit, units) {
    if (Object.hasOwn(units, unit)) return units[unit];
    const alike = Object.entries(units)
      .filter(([name]) => name.toLowerCase() === unit.toLowerCase())
      .map(([, factor]) => factor);
    return alike.length ? Math.max(...alike) : null;
  }

  /* number_keys.py */

  function inBase(key, read, tables) {
    let factor = key.factor;
    if (read.unit && read.unit !== key.printed) {
      factor = factorOf(read.unit, key.units);
      const counted = tables.unitless.includes(key.unit) && !tables.others.includes(read.unit);
      if (factor === null && counted) factor = 1;
    }
    return factor === null ? [] : read.values.map((each) => each * factor);
  }

  function accepted(key, value, share) {
    return key.accept.some((one) =>
      one.share === share && one.low <= value && value <= one.high);
  }

  function readQuantity(key, given, tables) {
    const read = typed(textOf(given.given) + " " + (given.unit || ""));
    const values = read ? inBase(key, read, tables) : [];
    const right = values.find((each) => accepted(key, each, 1));
    return right !== undefined ? right : values.length ? values[0] : null;
  }

  /** A tree of a key: a number, `{item}`, or `[operator, tree, tree]`; null where one is missing. */
  function computed(tree, earlier) {
    if (!isList(tree)) {
      if (typeof tree !== "object") return Number(tree);
      return Object.hasOwn(earlier, tree.item) ? earlier[tree.item] : null;
    }
    const [one, other] = tree.slice(1).map((each) => computed(each, earlier));
    if (one === null || other === null || (tree[0] === "/" && other === 0)) return null;
    switch (tree[0]) {
      case "+": return one + other;
      case "-": return one - other;
      case "*": return one * other;
      default: return one / other;
    }
  }

  function follows(key, value, earlier) {
    const wanted = key.follow ? computed(key.follow, earlier) : null;
    return wanted !== null && Math.abs(value - wanted) <= key.follow_within * Math.abs(wanted);
  }

  function gradeValue(key, value, given, tables) {
    if (accepted(key, value, 1)) return graded(key.points, "right");
    if (follows(key, value, given.earlier || {})) return graded(key.points, "follows");
    const wrong = (key.wrong || []).find((one) => one.low <= value && value <= one.high);
    if (wrong) return graded(0, wrong.code, wrong.says);
    const slip = key.slips.find((name) =>
      tables.slips[name].some((factor) => accepted(key, value * factor, 1)));
    if (slip) return graded(key.points * tables.half, slip);
    if (accepted(key, value, tables.half)) return graded(key.points * tables.half, "near");
    return graded(0, "wrong");
  }

  /** `cpu-seconds` where seconds stand for CPU-seconds, or these for seconds. */
  function unitCode(unit, spelled, tables) {
    for (const [summed, code] of Object.entries(tables.summed)) {
      const [wanted, other] = unit === summed ? [summed, "s"] : ["s", summed];
      if (unit === wanted && factorOf(spelled, tables.times[other]) !== null) return code;
    }
    return "unit";
  }

  function gradeQuantity(key, given, tables) {
    const text = textOf(given.given);
    if (!text) return graded(0, "blank");
    const read = typed(text + " " + (given.unit || ""));
    if (!read) return graded(0, "unreadable");
    const values = inBase(key, read, tables);
    if (!values.length) return graded(0, unitCode(key.unit, read.unit, tables));
    return values.map((each) => gradeValue(key, each, given, tables))
      .reduce((best, one) => (one.points > best.points ? one : best));
  }

  /* cell_items.py */

  function gradeCells(key, given, tables) {
    const texts = isList(given.given) ? given.given.map(String) : [];
    const answers = key.cells.map((_, n) => ({ given: n < texts.length ? texts[n] : "" }));
    const earlier = { ...(given.earlier || {}) };
    key.cells.forEach((cell, n) => {
      const value = readQuantity(cell, answers[n], tables);
      if (value !== null) earlier["#" + n] = value;
    });
    const each = key.cells.map((cell, n) => gradeQuantity(cell, { ...answers[n], earlier }, tables));
    const codes = each.map((one) => one.code);
    const earned = each.reduce((sum, one) => sum + one.points, 0);
    if (codes.every((code) => code === "right" || code === "follows")) {
      return graded(key.points, "right", "", codes);
    }
    if (codes.every((code) => code === "blank")) return graded(0, "blank", "", codes);
    const told = [...new Set(each.map((one) => one.feedback).filter(Boolean))].join(" ");
    return graded(earned, earned ? "part" : codes.find((code) => code !== "blank"), told, codes);
  }

  /* option_items.py and items */

  function ticked(given) {
    const said = given.given || [];
    const parts = isList(said) ? said : said.replaceAll(",", " ").split(new RegExp(SPACE + "+"));
    return [...new Set(parts.map((each) => strip(String(each)).toUpperCase()).filter(Boolean))];
  }

  function gradeOne(key, given) {
    const chosen = ticked(given);
    if (!chosen.length) return graded(0, "blank");
    if (chosen.length > 1) return graded(0, "two-ticks");
    const option = key.options.find((each) => each.letter === chosen[0]);
    if (!option) return graded(0, "unreadable");
    if (key.right.includes(chosen[0])) return graded(key.points, "right");
    return graded(0, option.code || "wrong", option.because || "");
  }

  function gradeChoices(key, given) {
    const chosen = ticked(given);
    if (!chosen.length) return graded(0, "blank");
    const wrong = chosen.filter((each) => !key.right.includes(each));
    const share = Math.max(0, chosen.length - 2 * wrong.length) / key.right.length;
    if (share === 1) return graded(key.points, "right");
    const told = key.options.filter((each) => wrong.includes(each.letter));
    const because = told.map((each) => each.because).filter(Boolean).join(" ");
    const named = told.find((each) => each.code);
    return graded(key.points * share, named ? named.code : share ? "part" : "wrong", because);
  }

  const shared = (points, share) =>
    graded(points * share, share === 1 ? "right" : share ? "part" : "wrong");

  function letters(given) {
    return listOf(given.given).map((each) => strip(each).toUpperCase());
  }

  function gradeList(key, given, tables) {
    const said = letters(given);
    if (!said.some(Boolean)) return graded(0, "blank");
    const wanted = new Set(key.places.flat());
    const used = new Set();
    let share = 0;
    key.places.slice(0, said.length).forEach((place, n) => {
      const each = said[n];
      const elsewhere = wanted.has(each) ? tables.half : 0;
      if (each && !used.has(each)) share += place.includes(each) ? 1 : elsewhere;
      used.add(each);
    });
    return shared(key.points, share / key.places.length);
  }

  function gradeMatrix(key, given) {
    const said = letters(given);
    if (!said.some(Boolean)) return graded(0, "blank");
    const right = key.places.filter((place, n) => place.includes(said[n])).length;
    const one = shared(key.points, right / key.places.length);
    return { ...one, points: (key.points * right) / key.places.length };
  }

  /** The places of values that are told apart. */
  function pairsOf(values, computing) {
    const pairs = [];
    values.forEach((one, a) => values.forEach((other, b) => {
      const apart = computing * Math.max(Math.abs(one), Math.abs(other));
      if (a < b && Math.abs(one - other) > apart) pairs.push([a, b]);
    }));
    return pairs;
  }

  function gradeRanking(key, given, tables) {
    const ranks = listOf(given.given).map(strip)
      .map((each) => (/^[0-9]{1,2}$/.test(each) ? parseInt(each, 10) : 0));
    if (!ranks.some(Boolean)) return graded(0, "blank");
    const ordered = [...ranks].sort((a, b) => a - b);
    const whole = ranks.length === key.values.length && ordered.every((rank, n) => rank === n + 1);
    if (!whole) return graded(0, "no-order");
    const pairs = pairsOf(key.values, tables.computing);
    const concordant = pairs.filter(([a, b]) =>
      (ranks[a] < ranks[b]) === (key.values[a] > key.values[b])).length;
    return shared(key.points, Math.max(0, (2 * concordant) / pairs.length - 1));
  }

  const TYPES = {
    number: gradeQuantity, table: gradeCells, pair: gradeCells,
    choice: gradeOne, bins: gradeOne, choices: gradeChoices,
    list: gradeList, matrix: gradeMatrix, ranking: gradeRanking,
    open: (_, given) => graded(0, textOf(given.given) ? "by-hand" : "blank"),
    checklist: (_, given) => graded(0, (given.given || "").length ? "done" : "blank"),
    ...Object.fromEntries(["trouble", "command", "range"].map((t) => [t, () => graded(0, "blank")])),
  };

  /* grade.py */

  /** One answer; where its code has no words of its own, those that all sheets share. */
  function item(key, given, tables) {
    const one = TYPES[key.type](key, given, tables);
    if (one.feedback) return one;
    const words = Object.hasOwn(tables.feedback, one.code) ? tables.feedback[one.code] : "";
    return { ...one, feedback: words.replaceAll("{unit}", key.printed || "") };
  }

  /** Every item of a key, also those without an answer. */
  function sheet(key, items, tables) {
    const earlier = {};
    const found = {};
    for (const [name, one] of Object.entries(key.items)) {
      const given = Object.hasOwn(items, name) ? items[name] : { given: "" };
      const known = Object.fromEntries(one.follows
        .filter((each) => Object.hasOwn(earlier, each)).map((each) => [each, earlier[each]]));
      found[name] = item(one, { ...given, earlier: known }, tables);
      const value = one.accept ? readQuantity(one, given, tables) : null;
      if (value !== null) earlier[name] = value;
    }
    return found;
  }

  const perfolio = (window.perfolio = window.perfolio || {});
  perfolio.grading = { item, sheet, typed, types: Object.keys(TYPES) };
})();
