/*---
title: Runs that lose most to a cause
about: The ten runs of each cause of idle time that lose most GPU-hours to it, as in idle time by cause.
population: runs whose GPU time is divided
columns:
  - {name: cause, title: Cause, unit: text}
  - {name: run, title: Identifier, unit: text}
  - {name: name, title: Run, unit: text, private: run}
  - {name: workload, title: Workload, unit: text}
  - {name: gpu_hours, title: GPU-hours, unit: GPU-h}
  - {name: share, title: Share of the run's GPU-hours, unit: ratio}
---*/
SELECT lost.cause, run.run, run.name, run.workload, lost.ns / (run.window_ns * run.lanes) * run.gpu_hours AS gpu_hours,
    lost.ns / (run.window_ns * run.lanes) AS share
FROM lost_time AS lost JOIN run USING (run) WHERE run.gpu_hours > 0 AND run.window_ns > 0 AND run.lanes > 0
QUALIFY row_number() OVER (PARTITION BY lost.cause ORDER BY lost.ns / (run.window_ns * run.lanes) * run.gpu_hours DESC, run.run) <= 10
ORDER BY lost.cause, gpu_hours DESC, run.run
