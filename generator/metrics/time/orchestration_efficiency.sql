/*---
title: Orchestration efficiency
unit: ratio
better: higher
definition: >-
  Busy time of the busiest GPU stream over the wall time: what is missing to 1 is time in which
  no stream can work because the program gives it nothing to do.
population: >-
  GPU operations by stream over the wall time
needs: [cpu_trace, gpu_trace]
source: >-
  POP's and TALP's efficiency for accelerators: largest active time over elapsed time
---*/
SELECT max(stream.busy) / nullif(any_value(span.stop - span.start), 0) AS value
FROM (SELECT sum(duration) AS busy FROM gpu_operation WHERE run = $run GROUP BY profile) AS stream
CROSS JOIN (SELECT start, stop FROM cpu_trace_span WHERE run = $run) AS span
