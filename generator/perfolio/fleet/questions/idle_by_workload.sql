/*---
title: Idle time of workloads by cause
about: The same as idle time by cause, of each workload.
population: runs whose GPU time is divided
columns:
  - {name: workload, title: Workload, unit: text}
  - {name: cause, title: Cause, unit: text}
  - {name: runs, title: Runs, unit: count}
  - {name: gpu_hours, title: GPU-hours, unit: GPU-h}
  - {name: share, title: Share of the workload's GPU-hours, unit: ratio}
---*/
WITH divided AS (
    SELECT run, workload, gpu_hours, gpu_hours / (window_ns * lanes) AS scale
    FROM run WHERE gpu_hours > 0 AND window_ns > 0 AND lanes > 0
),
everything AS (SELECT workload, sum(gpu_hours) AS gpu_hours FROM divided GROUP BY workload)
SELECT workload, cause, count(*) AS runs, sum(ns * scale) AS gpu_hours, sum(ns * scale) / any_value(everything.gpu_hours) AS share
FROM lost_time JOIN divided USING (run) JOIN everything USING (workload)
GROUP BY workload, cause ORDER BY gpu_hours DESC, workload, cause
