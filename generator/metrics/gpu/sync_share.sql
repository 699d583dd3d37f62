/*---
title: Waiting for the GPU, share of wall time
unit: ratio
better: lower
definition: >-
  Time that one host thread waited in GPU synchronisation calls, as a share of wall time: the thread
  with the most of it.
population: profiles of host threads, context 0 at scope execution; wall time from the trace
needs: ["GSYNC (sec)", GPUOP (sec), profiles, cpu_trace]
source: HPCToolkit's metric GSYNC (sec) and its traces
empty: the trace has no length
---*/
SELECT coalesce(max(profile_total.value) FILTER (WHERE profile_total.name = 'GSYNC (sec)'), 0)
    / nullif(any_value(span.stop - span.start) / 1e9, 0) AS value
FROM cpu_trace_span AS span
LEFT JOIN profile_total ON profile_total.run = span.run
WHERE span.run = $run
HAVING count(*) > 0
