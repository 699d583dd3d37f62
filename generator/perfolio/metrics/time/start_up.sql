/*---
title: Start-up
unit: s
better: lower
definition: >-
  Time before the first iteration, or before the first GPU operation where no iterations were
  found. What the GPU does from the begin on, launched before the recording, is none of it.
population: >-
  from the first trace point, or the first GPU operation where there is no CPU trace; of several GPUs the mean of
  when each begins its first iteration
needs: [gpu_trace]
source: traces
caveat: >-
  What the first iteration does before its first GPU operation counts as start-up, but where the host was sampled in
  code that launches in iterations and not before.
---*/
SELECT coalesce(sum(duration) FILTER (WHERE phase = 'start-up'), 0) / 1e9 AS value FROM run_phases
