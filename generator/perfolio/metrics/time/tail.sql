/*---
title: Tail
unit: s
better: lower
definition: >-
  Time after the end of the last iteration, or after the last GPU operation where no iterations
  were found.
population: >-
  to the last trace point, or the end of the last GPU operation where there is no CPU trace
needs: [gpu_trace]
source: traces
---*/
SELECT coalesce(sum(duration) FILTER (WHERE phase = 'tail'), 0) / 1e9 AS value FROM run_phases
