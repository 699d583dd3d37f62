/*---
title: Run time, at least
unit: s
better: neither
definition: >-
  The largest CPU time (CPUTIME) or elapsed time (REALTIME) of a single thread. A thread cannot
  use more CPU time than passes, so the run took at least this long.
population: each CPU thread's total, context 0 at scope execution
needs: [cpu_event]
source: by definition; a bound and not the elapsed time, which needs a trace
caveat: >-
  Both clocks are sampled, and a profiler's own cost is part of the run that it measures.
empty: neither CPUTIME nor REALTIME was recorded, and other events are no times
---*/
SELECT max(value) AS value
FROM profile_total
WHERE run = $run AND name IN ('CPUTIME (sec)', 'REALTIME (sec)')
