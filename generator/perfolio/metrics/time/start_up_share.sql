/*---
title: Start-up, share of wall time
unit: ratio
better: lower
definition: >-
  Share of the wall time before the first iteration, or before the first GPU operation where no
  iterations were found. What the GPU does from the begin on, launched before the recording, is none of it.
population: >-
  from the first trace point; of several GPUs to the mean of when each begins its first iteration
needs: [cpu_trace, gpu_trace]
source: traces
caveat: >-
  What the first iteration does before its first GPU operation counts as start-up, but where the host was sampled in
  code that launches in iterations and not before.
---*/
SELECT coalesce(sum(duration) FILTER (WHERE phase = 'start-up'), 0)
    / nullif((SELECT stop - start FROM cpu_trace_span), 0) AS value
FROM run_phases
