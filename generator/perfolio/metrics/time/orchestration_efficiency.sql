/*---
title: Orchestration efficiency
unit: ratio
better: higher
definition: >-
  Busy time of the busiest GPU over the time from the first operation of any GPU to the end of the
  last one: what is missing to 1 is time in which even that GPU runs nothing. Start-up is left out.
population: >-
  operations of all streams of each GPU
needs: [gpu_trace]
source: >-
  POP's and TALP's efficiency for accelerators: largest active time of a device over elapsed time,
  here of the part of the run that uses GPUs
---*/
SELECT max(gpu.busy) / nullif(any_value(span.stop - span.start), 0) AS value
FROM (
    SELECT device, sum(stop - start) FILTER (WHERE kernels + copies + others > 0) AS busy
    FROM gpu_level GROUP BY device
) AS gpu
CROSS JOIN (SELECT start, stop FROM gpu_span) AS span
HAVING count(*) > 0
