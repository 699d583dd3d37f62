/*---
title: Kernels whose calls take longer since a week
about: >-
  Mean time of a call of a kernel in each run: its median before and after the week that tells both sides apart best, of one workload in the
  same precision and batch size, on the same hardware and number of GPUs; runs are held against runs with the same driver. Each side has
  five runs or more, in two weeks or more. It is told where the change is more than 5 % and five robust standard errors, more where runs are
  few. Runs after must also take longer, or shorter, than runs before in most pairs: times that jump between two values do not.
population: kernels of runs with a date, without the sum of small ones
columns:
  - {name: workload, title: Workload, unit: text}
  - {name: kernel, title: Kernel, unit: text}
  - {name: class, title: Class, unit: text}
  - {name: hardware, title: Hardware, unit: text}
  - {name: since, title: Since the week of, unit: text}
  - {name: change, title: Change, unit: ratio}
  - {name: before, title: Median before, unit: s}
  - {name: after, title: Median after, unit: s}
  - {name: runs_before, title: Runs before, unit: count}
  - {name: runs_after, title: Runs after, unit: count}
  - {name: gpu_hours, title: GPU-hours in it since then, unit: GPU-h}
  - {name: errors, title: Standard errors, unit: '1'}
---*/
WITH given AS (
    SELECT hash(run.workload, run.precision, run.batch_size, run.hardware, run.gpus, kernel.kernel, kernel.class) AS thing,
        run.workload, kernel.kernel, kernel.class, run.hardware, hash(thing, run.driver) AS alike,
        date_trunc('week', run.recorded) AS week, ln(kernel.ns / kernel.calls) AS spent,
        run.gpu_hours * kernel.ns / nullif(run.window_ns * run.lanes, 0) AS hours
    FROM kernel JOIN run USING (run)
    WHERE run.recorded IS NOT NULL AND kernel.ns > 0 AND kernel.calls > 0 AND kernel.kernel <> '(others)' AND kernel.class <> 'collective'
)
SELECT workload, kernel, class, hardware, since, change, before, after, runs_before, runs_after, gpu_hours, errors
FROM judge_changes('given') JOIN (
    SELECT thing, any_value(workload) AS workload, any_value(kernel) AS kernel, any_value(class) AS class, any_value(hardware) AS hardware
    FROM given GROUP BY thing
) USING (thing)
ORDER BY change DESC, workload, kernel, class, hardware
