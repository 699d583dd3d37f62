/*---
title: Functions that work, by CPU cost
better: lower
definition: >-
  Functions in which CPU cost was spent, largest first; code that waits and the runtime of a GPU with
  what it calls are left out, and so they are of the whole that the share of work refers to, and so is
  elapsed time that came late (see the metric cpu.late_share). Exclusive is
  spent in the function's own code; inclusive holds all that it called, waiting too, recursive calls
  counted once. Called in names the line of the program, or of a package of Python, that calls it, where
  one line has half of its cost or more. Waits charged to Python are how much of exclusive may be waiting that the profile charges
  to Python (see the metric cpu.python_waits); ahead, what the function has beyond all others, whatever of that is waiting.
population: >-
  call frames of all entry points and profiles, scope function for exclusive, scope execution of
  the outermost frames for inclusive; the first 10
needs: [cpu_event]
source: names of libraries and functions, listed in the model is_waiting
caveat: >-
  Known by name only, as for the CPU cost of waiting. In the unit of the run's CPU event:
  CPU-seconds, thread-seconds or events. Exclusive of a function of Python holds a part of the compiled code of
  extensions that it calls, and of elapsed time of the waits in it, which the profile charges to it.
empty: all CPU cost is waiting
columns:
  - {name: function, title: 'Function', unit: text}
  - {name: module, title: 'Module', unit: text}
  - {name: file, title: 'File', unit: text}
  - {name: line, title: 'Line', unit: id}
  - {name: called_file, title: 'Called in', unit: text}
  - {name: called_line, title: 'Called at line', unit: id}
  - {name: exclusive, title: 'Exclusive', unit: "1"}
  - {name: exclusive_share, title: 'Share of work', unit: ratio}
  - {name: python_waits, title: 'Waits charged to Python, at most', unit: thread-s}
  - {name: ahead, title: 'Ahead of all others, at least', unit: thread-s}
  - {name: inclusive_share, title: 'Inclusive, of all cost', unit: ratio}
---*/
SELECT "function", module, file, line, called_file, called_line,
    exclusive, exclusive / (SELECT sum(work) FROM work_cost) AS exclusive_share, waits AS python_waits, ahead, inclusive_share
FROM costliest_functions
WHERE of = 'working'
ORDER BY exclusive DESC, key
LIMIT 10
