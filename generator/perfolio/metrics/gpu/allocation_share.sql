/*---
title: Allocating GPU memory, share of wall time
unit: ratio
better: lower
definition: >-
  Time that one host thread allocated and freed GPU memory, as a share of wall time: the thread
  with the most of it.
population: profiles of host threads, context 0 at scope execution; wall time from the trace
needs: [allocation_time, gpu_operation_time, profiles, cpu_trace]
source: measure allocation_time and traces
empty: the trace has no length
---*/
SELECT (SELECT coalesce(max(profile_total.value), 0) FROM profile_total WHERE name = 'allocation_time')
    / nullif((stop - start) / 1e9, 0) AS value
FROM cpu_trace_span
