/*---
title: CPU time per wall time
unit: threads
better: neither
definition: >-
  CPU time of all threads over the wall time: how many threads ran at once, on average, as far as samples saw them.
population: >-
  all CPU threads; wall time from the first to the last trace point
needs: [cpu_time, cpu_trace]
source: by definition; CPU time from the profile, wall time from the trace
---*/
SELECT total.value / nullif((SELECT (stop - start) / 1e9 FROM cpu_trace_span), 0) AS value
FROM total
WHERE total.name = 'cpu_time'
