/*---
title: GPU idle share of the GPU span without short gaps
unit: ratio
better: lower
definition: >-
  In a run with PC sampling: the share of what is left of the GPU span without the gaps that
  sampling may have made in which no operation runs. Near 0, nothing but GPU operations is left,
  and the run says nothing of how much they matter.
population: >-
  the GPU span less gaps of up to 5 ms, all streams; of several GPUs the mean
needs: [gpu_trace]
source: idle time over idle and busy time, gaps of up to 5 ms left out
empty: PC sampling was off
---*/
SELECT CASE WHEN pc_sampled() THEN idle / nullif(idle + busy, 0) END AS value
FROM (
    SELECT busy, coalesce((SELECT sum(duration) FROM gpu_gap WHERE duration > 5e6) / gpus(), 0) AS idle
    FROM gpu_use
)
