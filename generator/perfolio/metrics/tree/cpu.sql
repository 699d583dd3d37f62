/*---
title: Call tree by CPU cost
better: neither
definition: >-
  CPU cost by function and caller, each with all that it called. A node begins at its left edge,
  as a share of the run, within its parent; callees stand in order of cost. Entry points have
  parent 0.
population: >-
  call frames, scope execution; calls of the same function by the same caller merged; without
  nodes below 0.1 % of the total or deeper than 40 frames
needs: [cpu_event]
source: costs by scope
caveat: >-
  In the unit of the run's CPU event: CPU-seconds, thread-seconds or events.
empty: no thread has a CPU cost
columns:
  - {name: context, title: 'Context', unit: id}
  - {name: parent, title: 'Parent', unit: id}
  - {name: depth, title: 'Depth', unit: count}
  - {name: name, title: 'Function', unit: text}
  - {name: time, title: 'CPU cost', unit: "1"}
  - {name: share, title: 'Share', unit: ratio}
  - {name: left, title: 'Left edge', unit: ratio}
  - {name: module, title: 'Module', unit: text}
  - {name: file, title: 'File', unit: text}
  - {name: line, title: 'Line', unit: id}
---*/
SELECT context, parent, depth, name, cost AS "time", share, "left", module, file, line
FROM call_tree(cpu_event_of(), 0.001, 40)
ORDER BY depth, "left", context
