/*---
title: Long gaps, share of the GPU span
unit: ratio
better: lower
definition: >-
  Share of the GPU span in gaps that are longer than 50 µs each. Not given where PC sampling
  was on.
population: >-
  the spans of all GPUs, all streams
needs: [gpu_trace]
source: HPCToolkit's traces
empty: >-
  PC sampling was on, which runs kernels one after another and keeps them apart: the sum of short
  gaps would say more about the profiler than about the program
---*/
SELECT CASE WHEN NOT EXISTS (SELECT 1 FROM metric WHERE run = $run AND name LIKE 'GINS%')
    THEN coalesce(sum(duration) FILTER (WHERE duration > 50000), 0)
        / nullif((SELECT sum(stop - start) FROM gpu_device WHERE run = $run), 0)
    END AS value
FROM gpu_gap WHERE run = $run
