/*---
title: Weeks
about: >-
  GPU-hours and the share in which GPUs idle or wait for other ranks, by the week in which a run was recorded; and the median iteration of
  each workload. The row without a workload is of all.
population: runs with a date
columns:
  - {name: week, title: Week of, unit: text}
  - {name: workload, title: Workload, unit: text}
  - {name: runs, title: Runs, unit: count}
  - {name: gpu_hours, title: GPU-hours, unit: GPU-h}
  - {name: idle_share, title: Idle, unit: ratio}
  - {name: iteration, title: Median iteration, unit: s}
---*/
SELECT strftime(date_trunc('week', recorded), '%Y-%m-%d') AS week, workload, count(*) AS runs, sum(gpu_hours) AS gpu_hours,
    sum(idle_gpu_hours) / nullif(sum(gpu_hours) FILTER (WHERE idle_gpu_hours IS NOT NULL), 0) AS idle_share,
    CASE WHEN workload IS NOT NULL THEN median(iteration_ns) / 1e9 END AS iteration
FROM run_cost WHERE recorded IS NOT NULL GROUP BY GROUPING SETS ((week), (week, workload)) ORDER BY week, workload NULLS FIRST
