/* Sums over call trees: functions, callers and callees merged, the difference of two trees.
 *
 * perfolio.sums works on the data of a tree (generator/perfolio/charts/call_tree_rows.py) and touches no page.
 * Amounts are percent of the whole, as the edges of frames are; `value` is as the store has it. An inclusive amount is never added
 * to one that lies inside of it: of a function that calls itself, the outermost call counts.
 */
(function () {
  "use strict";

  const perfolio = (window.perfolio = window.perfolio || {});
  if (perfolio.sums) return;

  const DEEPEST = 20; // levels of callers, and of callees, that a sandwich has
  const LEAST = 0.2; // percent of its width from which on a frame of a sandwich is kept
  const TINY = 1e-9; // percent: less is rounding
  const FOLDED = -1; // the code of small callees that are one
  const SMALL = { code: FOLDED, name: "", label: "smaller callees", at: "", group: 0 };

  /** The nodes of a tree's data, callers first, with the functions that they are calls of. */
  function tree(data) {
    const { name, label, at, group } = data.functions;
    const functions = name.map((each, code) => ({ code, name: each, label: label[code] || each, at: at[code], group: group[code] }));
    const { in: within, code, value, before = [] } = data.nodes;
    const nodes = [];
    const add = (of, place, amount, ago, folded) => {
      const parent = nodes[place] || null;
      const node = { code: of, value: amount, before: ago, hot: false, folded, in: place, parent, total: part(amount, data.whole), own: 0, children: [] };
      nodes.push(node);
      if (parent) parent.children.push(node);
    };
    for (let at = 0; at < value.length; at++) add(code[at], within[at], value[at], before[at] || 0, 0);
    for (const [place, amount, ...rest] of data.folded) add(FOLDED, place, amount, rest.length > 1 ? rest[0] : 0, rest[rest.length - 1]);
    for (const at of data.hot) nodes[at].hot = true;
    for (const node of nodes) node.own = rest(node);
    return { nodes, functions, roots: nodes.filter((node) => !node.parent) };
  }

  const part = (amount, whole) => (whole ? (100 * amount) / whole : 0);

  /** What a node has beside its callees; where the data lack small ones, these are part of it. */
  function rest(node) {
    const own = node.children.reduce((left, child) => left - child.total, node.total);
    return own > TINY ? own : 0;
  }

  /** Where each node is drawn whose amount is above 0: edges in percent, the largest leftmost. */
  function frames(roots, amount) {
    const found = [];
    const place = (nodes, up, left, level) => {
      const shown = nodes.filter((node) => amount(node) > 0);
      if (shown.length > 1) shown.sort((a, b) => (a.code === FOLDED) - (b.code === FOLDED) || amount(b) - amount(a));
      for (const node of shown) {
        const frame = { node, up, down: [], left, right: left + amount(node), level };
        if (up) up.down.push(frame);
        found.push(frame);
        if (node.children.length) place(node.children, frame, left, level + 1);
        left = frame.right;
      }
    };
    place(roots, null, 0, 0);
    return found;
  }

  const outermost = (node) => {
    for (let above = node.parent; above; above = above.parent) if (above.code === node.code) return false;
    return true;
  };

  /** Own and total amount of each function that has a frame, those with the most of their own first. */
  function functionsOf(of) {
    const found = new Map();
    for (const node of of.nodes) {
      if (node.code === FOLDED) continue;
      const one = found.get(node.code) || { code: node.code, own: 0, total: 0 };
      one.own += node.own;
      if (outermost(node)) one.total += node.total;
      found.set(node.code, one);
    }
    return [...found.values()].sort((a, b) => b.own - a.own || b.total - a.total || a.code - b.code);
  }

  const entry = (code) => ({ code, total: 0, children: new Map() });

  function below(node, code) {
    if (!node.children.has(code)) node.children.set(code, entry(code));
    return node.children.get(code);
  }

  /** Who calls a function and whom it calls, merged over all calling paths. */
  function sandwich(of, code) {
    const calls = of.nodes.filter((node) => node.code === code && outermost(node));
    const callers = entry(code);
    const callees = entry(code);
    for (const call of calls) {
      callers.total += call.total;
      let at = callers;
      for (let above = call.parent; above; above = above.parent) {
        at = below(at, above.code);
        at.total += call.total;
      }
      merge(callees, call);
    }
    const own = of.nodes.reduce((sum, node) => sum + (node.code === code ? node.own : 0), 0);
    return { code, calls: calls.length, own, total: callers.total, callers, callees };
  }

  function merge(into, node) {
    into.total += node.total;
    for (const child of node.children) merge(below(into, child.code), child);
  }

  /** Entries with the largest first: at the left, as in all our call trees. */
  const leftHeavy = (node) => [...node.children.values()].sort((a, b) => b.total - a.total || a.code - b.code);

  /** The frames of one side: `way` is 1 for callees below, -1 for callers above; the middle is level 0. */
  function side(root, way) {
    const rows = [];
    let cut = 0;
    const place = (node, left, level) => {
      for (const each of leftHeavy(node)) {
        const width = (100 * each.total) / root.total;
        if (width < LEAST || level >= DEEPEST) { cut += 1; continue; }
        rows.push({ code: each.code, left, right: left + width, level: way * (level + 1), total: each.total });
        place(each, left, level + 1);
        left += width;
      }
    };
    if (root.total > 0) place(root, 0, 0);
    return { rows, cut };
  }

  /** Frames of a sandwich, each with its row from the top, and how many rows there are. */
  function layered(found) {
    const above = side(found.callers, -1);
    const under = side(found.callees, 1);
    const top = Math.min(0, ...above.rows.map((row) => row.level));
    const middle = { code: found.code, left: 0, right: 100, level: 0, total: found.total, hot: 1 };
    const rows = [...above.rows, middle, ...under.rows].map((row) => ({ ...row, level: row.level - top }));
    return { rows, levels: 1 + Math.max(...rows.map((row) => row.level)), cut: above.cut + under.cut };
  }

  /** Names the same function in another run: lines move from one version to the next. */
  const sameAs = (one) => one.name + "\n" + one.at.replace(/:\d+$/, "");

  /** Siblings of one function as one, by its name. */
  function byName(of) {
    const root = { key: "", code: -1, own: 0, total: 0, children: new Map() };
    const take = (into, nodes) => {
      for (const node of nodes) {
        const key = node.code === FOLDED ? "" : sameAs(of.functions[node.code]);
        const one = into.children.get(key) || { key, code: node.code, own: 0, total: 0, children: new Map() };
        one.own += node.own;
        one.total += node.total;
        into.children.set(key, one);
        take(one, node.children);
      }
    };
    take(root, of.roots);
    return root;
  }

  /** What became of a context: `least` is the change, in points, from which on it counts as one. */
  function fate(here, there, least) {
    if (!there) return "new";
    const change = here.total - there.total;
    return change >= least ? "grew" : change <= -least ? "shrank" : "same";
  }

  /** Each calling context of two trees: its amounts in both; null where a tree does not have it. */
  function difference(here, there, least) {
    const contexts = [];
    const name = (one, of) => (one ? of.functions[one.code] || SMALL : null);
    const visit = (one, other, above, up, left, level) => {
      const keys = new Map([...leftHeavyByKey(one), ...leftHeavyByKey(other)].map((each) => [each.key, 0]));
      for (const key of keys.keys()) {
        const mine = one && one.children.get(key);
        const its = other && other.children.get(key);
        const about = name(mine, here) || name(its, there);
        const path = [...above, about.label];
        const context = {
          about, path, children: [], level, left, right: left + (mine ? mine.total : 0),
          code: mine ? mine.code : -1,
          here: mine ? { own: mine.own, total: mine.total } : null,
          there: its ? { own: its.own, total: its.total } : null,
          change: (mine ? mine.own : 0) - (its ? its.own : 0),
          fate: mine ? fate(mine, its, least) : "gone",
        };
        contexts.push(context);
        up.push(context);
        visit(mine, its, path, context.children, left, level + 1);
        left += mine ? mine.total : 0;
      }
    };
    const roots = [];
    visit(byName(here), byName(there), [], roots, 0, 0);
    return { contexts, roots };
  }

  const leftHeavyByKey = (node) =>
    node ? [...node.children.values()].sort((a, b) => b.total - a.total || (a.key < b.key ? -1 : 1)) : [];

  perfolio.sums = { FOLDED, SMALL, tree, frames, functionsOf, sandwich, layered, difference };
})();
