/*---
title: Wall time in which no thread is seen running, nearly all of it in Python
unit: ratio
better: lower
definition: >-
  The metric time.nothing_runs_share of a run without GPU work, where nine tenths of this time at least
  end in a sample with a function of Python on its calling path, as they do where the profiler's own hook
  in Python takes the time (how much of it: see the metric time.nothing_runs_profiler), and CPU clocks ran meanwhile:
  the metric time.nothing_runs_clocked is 0.75 at
  least, where waits alone have 0.5 at most by chance.
population: >-
  CPU trace lines of all profiles; from the first trace point to the last
needs: [cpu_time, cpu_trace]
source: >-
  the model nothing_runs_python, of traces; hpcrun/logical/python.c sets a hook that Python calls at each
  call
caveat: >-
  Waits that each last a whole number of the timer's periods are seen alike.
empty: >-
  threads were sampled by elapsed time, the run works on a GPU, less than nine tenths of the time in
  which nothing runs end in Python, or threads may have waited for half of it or more
---*/
SELECT spent / wall AS value
FROM nothing_runs_python
