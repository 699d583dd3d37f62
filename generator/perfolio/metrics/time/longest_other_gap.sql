/*---
title: Longest gap beside the long wait of iterations
unit: s
better: lower
definition: >-
  The longest time within steady iterations in which no operation runs on any stream of a GPU, where the
  longest gap of each iteration is left out if that is a wait of its own: more than 5 ms and a fifth of the
  iteration, by the medians.
population: >-
  complete iterations that are no warm-up; all streams, any GPU
needs: [gpu_trace, iterations]
source: traces
---*/
SELECT coalesce(max(gap.duration), 0) / 1e9 AS value
FROM steady_gaps AS gap
ANTI JOIN long_waits AS wait ON wait.device = gap.device AND wait.start = gap.start
