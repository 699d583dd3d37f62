/*---
title: Run time, at least
unit: s
better: neither
definition: >-
  The largest CPU time (CPUTIME) or elapsed time (REALTIME) of a single thread, or the traced
  wall time where that is longer. A thread cannot use more CPU time than passes, so the run took
  at least this long.
population: >-
  each CPU thread's total, context 0 at scope execution; from the first to the last trace point of
  runs with a CPU trace
needs: [cpu_event]
source: by definition; without a CPU trace a bound, and not the elapsed time
caveat: >-
  Both clocks are sampled, and a profiler's own cost is part of the run that it measures.
empty: neither CPUTIME nor REALTIME was recorded, and other events are no times
---*/
SELECT least_run_time() AS value
