/*---
title: Time in long gaps
unit: s
better: lower
definition: >-
  Time within the GPU span in gaps that are longer than 50 µs each.
population: >-
  the GPU span, all streams; of several GPUs the mean
needs: [gpu_trace]
source: HPCToolkit's traces
---*/
SELECT coalesce(sum(duration) FILTER (WHERE duration > 50000) / gpus($run), 0) / 1e9 AS value FROM gpu_gap WHERE run = $run
