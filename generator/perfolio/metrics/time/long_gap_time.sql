/*---
title: Time in long gaps
unit: s
better: lower
definition: >-
  Time within steady iterations in gaps that are longer than 50 µs each. Start-up, warm-up and the end of
  the run are not in it.
population: >-
  steady iterations, or the GPU span where none were found; all streams, of several GPUs the
  mean
needs: [gpu_trace]
source: traces
---*/
SELECT coalesce(sum(duration) FILTER (WHERE duration > 50000) / gpus(), 0) / 1e9 AS value
FROM steady_gaps
