/*---
title: Parts of the GPU span
better: neither
definition: >-
  The time from a GPU's first to its last operation divided by what the GPU does: kernels,
  copies beside no kernel, other operations, and gaps, long ones (more than 50 µs) apart. Where PC
  sampling was on, long ones are of more than 5 ms. Each moment counts once.
population: >-
  the GPU span, all streams; of several GPUs the mean
needs: [gpu_trace]
source: traces
columns:
  - {name: part, title: 'Part', unit: text}
  - {name: time, title: 'Time', unit: s}
  - {name: share, title: 'Share of the GPU span', unit: ratio}
---*/
WITH gap AS (
    SELECT coalesce(sum(duration) FILTER (WHERE duration > longest), 0) / gpus() AS long,
        coalesce(sum(duration) FILTER (WHERE duration <= longest), 0) / gpus() AS short
    FROM gpu_gap CROSS JOIN (SELECT CASE WHEN pc_sampled() THEN 5e6 ELSE 5e4 END AS longest)
),
part AS (
    SELECT unnest([
        {
            'part': CASE WHEN pc_sampled() THEN 'GPU idle in gaps longer than 5 ms' ELSE 'GPU idle in gaps longer than 50 µs' END,
            'amount': CAST(gap.long AS DOUBLE)
        },
        {'part': CASE WHEN pc_sampled() THEN 'Gaps that PC sampling may have made' ELSE 'GPU idle in shorter gaps' END, 'amount': gap.short},
        {'part': 'Kernels', 'amount': gpu_use.kernel_busy},
        {'part': 'Copies beside no kernel', 'amount': gpu_use.copy_busy - gpu_use.overlap},
        {'part': 'Other GPU operations alone', 'amount': gpu_use.busy - gpu_use.kernel_busy - gpu_use.copy_busy + gpu_use.overlap}
    ], recursive := true)
    FROM gap JOIN gpu_use ON true
)
SELECT part, amount / 1e9 AS "time", amount / (SELECT span FROM gpu_use) AS share
FROM part
WHERE amount > 0
ORDER BY amount DESC, part
