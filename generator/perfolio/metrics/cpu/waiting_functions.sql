/*---
title: Functions that wait, by CPU cost
better: lower
definition: >-
  Functions of parallel runtimes and calls that wait in which CPU cost was spent, largest first.
  Exclusive is spent in the function's own code. Called in names the line of the program, or
  of a package of Python, that calls it, where one line has half of its cost or more.
population: >-
  call frames of all entry points and profiles, scope function; the first 10
needs: [cpu_event]
source: names of libraries and functions, listed in the model is_waiting
caveat: >-
  Known by name only, as for the CPU cost of waiting. In the unit of the run's CPU event:
  CPU-seconds, thread-seconds or events.
empty: no cost was spent in functions that wait; by CPU time, waiting that sleeps has none
columns:
  - {name: function, title: 'Function', unit: text}
  - {name: module, title: 'Module', unit: text}
  - {name: file, title: 'File', unit: text}
  - {name: line, title: 'Line', unit: id}
  - {name: called_file, title: 'Called in', unit: text}
  - {name: called_line, title: 'Called at line', unit: id}
  - {name: exclusive, title: 'Exclusive', unit: "1"}
  - {name: exclusive_share, title: 'Share of all cost', unit: ratio}
---*/
SELECT "function", module, file, line, called_file, called_line, exclusive, exclusive_share
FROM costliest_functions
WHERE of = 'waiting'
ORDER BY exclusive DESC, key
LIMIT 10
