/*---
title: Time in gaps
unit: s
better: lower
definition: >-
  Time within the span of a GPU in which no operation runs on any of its streams.
population: >-
  the GPU span, all streams; of several GPUs the mean
needs: [gpu_trace]
source: traces
---*/
SELECT coalesce(sum(duration), 0) / gpus() / 1e9 AS value
FROM gpu_gap
