/*---
title: Long gaps, share of the GPU span
unit: ratio
better: lower
definition: >-
  Share of the GPU span in gaps that are longer than 50 µs each. Not given where PC sampling
  was on.
population: >-
  the spans of all GPUs, all streams
needs: [gpu_trace, unsampled]
source: HPCToolkit's traces
---*/
SELECT coalesce(sum(duration) FILTER (WHERE duration > 50000), 0)
    / nullif((SELECT sum(stop - start) FROM gpu_device WHERE run = $run), 0) AS value
FROM gpu_gap WHERE run = $run
