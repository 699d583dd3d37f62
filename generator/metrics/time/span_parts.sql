/*---
title: Parts of the GPU span
better: neither
definition: >-
  The time from a GPU's first to its last operation divided by what the GPU does: kernels,
  copies beside no kernel, other operations, and gaps, long ones (more than 50 µs) apart. Each
  moment counts once.
population: >-
  the GPU span, all streams; of several GPUs the mean
needs: [gpu_trace]
source: HPCToolkit's traces
columns:
  - {name: part, title: 'Part', unit: text}
  - {name: time, title: 'Time', unit: s}
  - {name: share, title: 'Share of the GPU span', unit: ratio}
---*/
WITH gap AS (
    SELECT coalesce(sum(duration) FILTER (WHERE duration > 50000), 0) / gpus($run) AS long,
        coalesce(sum(duration) FILTER (WHERE duration <= 50000), 0) / gpus($run) AS short
    FROM gpu_gap WHERE run = $run
),
part AS (
    SELECT unnest([
        {'part': 'GPU idle in gaps longer than 50 µs', 'amount': CAST(gap.long AS DOUBLE)},
        {'part': 'GPU idle in shorter gaps', 'amount': gap.short},
        {'part': 'Kernels', 'amount': gpu_use.kernel_busy},
        {'part': 'Copies beside no kernel', 'amount': gpu_use.copy_busy - gpu_use.overlap},
        {'part': 'Other GPU operations alone', 'amount': gpu_use.busy - gpu_use.kernel_busy - gpu_use.copy_busy + gpu_use.overlap}
    ], recursive := true)
    FROM gap JOIN gpu_use ON gpu_use.run = $run
)
SELECT part, amount / 1e9 AS "time", amount / (SELECT span FROM gpu_use WHERE run = $run) AS share
FROM part
WHERE amount > 0
ORDER BY amount DESC, part
