/*---
title: Functions by CPU cost
better: lower
definition: >-
  Functions in which CPU cost was spent, largest exclusive cost first. Exclusive is spent in the
  function's own code, inlined code of other functions not counted; inclusive holds all that it
  called, recursive calls counted once. Waits charged to Python are how much of exclusive may be waiting that the profile charges to
  Python (see the metric cpu.python_waits), beside what waits by name.
population: >-
  call frames of all entry points and profiles: scope function for exclusive, scope execution of
  the outermost frames for inclusive; the first 50. Code outside of any function counts under
  its file or module
needs: [cpu_event]
source: costs by scope
caveat: >-
  In the unit of the run's CPU event: CPU-seconds, thread-seconds or events.
empty: no thread has a CPU cost
columns:
  - {name: function, title: 'Function', unit: text}
  - {name: module, title: 'Module', unit: text}
  - {name: file, title: 'File', unit: text}
  - {name: line, title: 'Line', unit: id}
  - {name: exclusive, title: 'Exclusive', unit: "1"}
  - {name: inclusive, title: 'Inclusive', unit: "1"}
  - {name: python_waits, title: 'Waits charged to Python, at most', unit: thread-s}
  - {name: exclusive_share, title: 'Exclusive share', unit: ratio}
  - {name: inclusive_share, title: 'Inclusive share', unit: ratio}
---*/
SELECT "function", module, file, line, exclusive, inclusive, waits AS python_waits, exclusive_share, inclusive_share
FROM costliest_functions
WHERE of = 'all'
ORDER BY exclusive DESC, key
LIMIT 50
