/*---
title: Allocating GPU memory, share of wall time
unit: ratio
better: lower
definition: >-
  Time that one host thread allocated and freed GPU memory, as a share of wall time: the thread
  with the most of it.
population: profiles of host threads, context 0 at scope execution; wall time from the trace
needs: ["GMEM (sec)", GPUOP (sec), profiles, cpu_trace]
source: HPCToolkit's metric GMEM (sec) and its traces
empty: the trace has no length
---*/
SELECT coalesce(max(profile_total.value) FILTER (WHERE profile_total.name = 'GMEM (sec)'), 0)
    / nullif(any_value(span.stop - span.start) / 1e9, 0) AS value
FROM cpu_trace_span AS span
LEFT JOIN profile_total ON profile_total.run = span.run
WHERE span.run = $run
HAVING count(*) > 0
