/*---
title: Functions of the program, with the libraries they call
better: lower
definition: >-
  Work of each function of the program itself: its own code, and code of libraries that it calls up
  to the next function of the program, so that no cost counts twice. Imports of modules, and
  PyTorch's backward pass and optimizers, are left out. Mostly in is the library's
  function that it calls with the largest part. The share with what came late is of the same with elapsed
  time that came late: of a function that the kernel holds it is the larger one. Waits charged to Python are how much of the work may be
  waiting that the profile charges to Python (see the metric cpu.python_waits). Ahead is by how much of the work the function leads all
  others, whatever of that is waiting: below 0, which function has most is not known.
population: >-
  call frames of all entry points and profiles, scope function; the first 10. Waiting, the runtime of a
  GPU, what MPI does, Python's import of modules, PyTorch's backward pass and optimizers, and elapsed time that came
  late (see the metric cpu.late_share) are left out
needs: [cpu_event]
source: the models frame and is_own
caveat: >-
  What is the program's own is told by paths: not installed, and no well-known library. Work of pool
  threads has no caller in the program. Own code of a function of Python holds a part of the compiled code of
  extensions that it calls, and of elapsed time of the waits in it, which the profile charges to it. In the unit of the run's CPU event.
empty: no function of the program itself has a CPU cost
columns:
  - {name: function, title: 'Function', unit: text}
  - {name: module, title: 'Module', unit: text}
  - {name: file, title: 'File', unit: text}
  - {name: line, title: 'Line', unit: id}
  - {name: work, title: 'With libraries', unit: "1"}
  - {name: own, title: 'Own code', unit: "1"}
  - {name: share, title: 'Share of work', unit: ratio}
  - {name: share_with_late, title: 'Share with what came late', unit: ratio}
  - {name: python_waits, title: 'Waits charged to Python, at most', unit: thread-s}
  - {name: ahead, title: 'Ahead of all others, at least', unit: ratio}
  - {name: callee, title: 'Mostly in', unit: text}
---*/
SELECT "function", module, file, line, work, own, share, share_with_late, waits AS python_waits, ahead, callee
FROM own_functions
ORDER BY work DESC, key
LIMIT 10
