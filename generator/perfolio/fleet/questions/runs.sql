/*---
title: All runs
about: >-
  A row for each run. Shares are of its window: steady iterations, or the whole run. Busy is the time in which kernels compute; idle is the
  time in which nothing runs, or a GPU waits for other ranks.
population: all runs
columns:
  - {name: run, title: Identifier, unit: text}
  - {name: name, title: Run, unit: text, private: run}
  - {name: workload, title: Workload, unit: text}
  - {name: idle_gpu_hours, title: Idle GPU-hours, unit: GPU-h}
  - {name: gpu_hours, title: GPU-hours, unit: GPU-h}
  - {name: idle, title: Idle, unit: ratio}
  - {name: busy, title: Busy, unit: ratio}
  - {name: iteration, title: Iteration, unit: s}
  - {name: hosts, title: Hosts, unit: text, private: host}
  - {name: owner, title: Owner, unit: text, private: owner}
  - {name: team, title: Team, unit: text, private: team}
  - {name: recorded, title: Recorded, unit: text}
  - {name: hardware, title: Hardware, unit: text}
  - {name: gpus, title: GPUs, unit: count}
  - {name: verdict, title: Verdict, unit: text}
---*/
WITH busy AS (SELECT run, sum(ns) AS ns FROM part WHERE part = 'kernel' GROUP BY run)
SELECT run.run, run.name, run.workload, run.idle_gpu_hours, run.gpu_hours, run.idle_share AS idle,
    CASE WHEN run.gpu_hours IS NOT NULL THEN coalesce(busy.ns, 0) / nullif(run.window_ns * run.lanes, 0) END AS busy,
    run.iteration_ns / 1e9 AS iteration, run.hosts, run.owner, run.team, strftime(run.recorded, '%Y-%m-%d %H:%M') AS recorded, run.hardware,
    run.gpus, run.verdict
FROM run_cost AS run LEFT JOIN busy USING (run) ORDER BY idle_gpu_hours DESC NULLS LAST, run.name, run.run
