/*---
title: Workloads whose iterations take longer since a week
about: >-
  Median iteration before and after the week that tells both sides apart best, in the same precision and batch size, on the same hardware
  and number of GPUs; runs are held against runs with the same driver. Each side has five runs or more, in two weeks or more. It is told
  where the change is more than 5 % and five robust standard errors, more where runs are few. Runs after must also take longer, or shorter,
  than runs before in most pairs: times that jump between two values do not.
population: runs with steady iterations and a date
columns:
  - {name: workload, title: Workload, unit: text}
  - {name: hardware, title: Hardware, unit: text}
  - {name: gpus, title: GPUs, unit: count}
  - {name: since, title: Since the week of, unit: text}
  - {name: change, title: Change, unit: ratio}
  - {name: before, title: Median before, unit: s}
  - {name: after, title: Median after, unit: s}
  - {name: runs_before, title: Runs before, unit: count}
  - {name: runs_after, title: Runs after, unit: count}
  - {name: gpu_hours, title: GPU-hours since then, unit: GPU-h}
  - {name: errors, title: Standard errors, unit: '1'}
---*/
WITH given AS (
    SELECT hash(workload, "precision", batch_size, hardware, gpus) AS thing, workload, hardware, gpus, hash(thing, driver) AS alike,
        date_trunc('week', recorded) AS week, ln(iteration_ns) AS spent, gpu_hours AS hours
    FROM run WHERE recorded IS NOT NULL AND iteration_ns > 0
)
SELECT workload, hardware, gpus, since, change, before, after, runs_before, runs_after, gpu_hours, errors
FROM judge_changes('given') JOIN (
    SELECT thing, any_value(workload) AS workload, any_value(hardware) AS hardware, any_value(gpus) AS gpus FROM given GROUP BY thing
) USING (thing)
ORDER BY change DESC, workload, hardware, gpus
