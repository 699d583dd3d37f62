/*---
title: Cost by host
about: The GPU-hours of a run, divided among the ranks whose time is known; and the share in which these idle or wait for other ranks.
population: ranks whose host is known
columns:
  - {name: host, title: Host, unit: text, private: host}
  - {name: runs, title: Runs, unit: count}
  - {name: workloads, title: Workloads, unit: count}
  - {name: gpu_hours, title: GPU-hours, unit: GPU-h}
  - {name: idle_gpu_hours, title: Idle GPU-hours, unit: GPU-h}
  - {name: idle_share, title: Idle, unit: ratio}
---*/
WITH place AS (
    SELECT gpu.run, gpu.host, kernel_ns + collective_ns + wait_ns + copy_ns + idle_ns AS whole, wait_ns + idle_ns AS lost,
        sum(kernel_ns + collective_ns + wait_ns + copy_ns + idle_ns) OVER (PARTITION BY gpu.run) AS everywhere
    FROM gpu
)
SELECT place.host, count(DISTINCT place.run) AS runs, count(DISTINCT run.workload) AS workloads,
    sum(run.gpu_hours * whole / nullif(everywhere, 0)) AS gpu_hours, sum(run.gpu_hours * lost / nullif(everywhere, 0)) AS idle_gpu_hours,
    sum(run.gpu_hours * lost / nullif(everywhere, 0)) / nullif(sum(run.gpu_hours * whole / nullif(everywhere, 0)), 0) AS idle_share
FROM place JOIN run USING (run) WHERE place.host IS NOT NULL
GROUP BY place.host ORDER BY idle_gpu_hours DESC NULLS LAST, place.host
