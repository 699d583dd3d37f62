/*---
defaults:
  unit: s
  better: neither
  needs: [gpu_trace, iterations]
  source: traces
---*/

/*---
name: steady
title: Steady state
definition: >-
  Time of the iterations after the warm-up, or of the GPU span where no iterations were found.
population: >-
  GPU operations
needs: [gpu_trace]
empty: every iteration is warm-up
---*/
SELECT sum(duration) FILTER (WHERE phase = 'steady state') / 1e9 AS value FROM run_phases

/*---
name: steady_complete
title: Time of steady iterations
definition: >-
  Time of the iterations that statistics are made of: complete ones that are no warm-up. The steady state also
  has the last one, which nothing shows the end of.
population: >-
  GPU operations; of several GPUs the mean
empty: no iteration is complete and no warm-up
---*/
SELECT sum(duration) / 1e9 AS value FROM steady_iterations

/*---
name: steady_idle_share
title: GPU idle share of steady iterations
unit: ratio
better: lower
definition: >-
  Share of the time of steady iterations in which no operation runs on any stream of a GPU. Where no
  iterations were found, of the time from the first GPU operation of the run to the last one: a GPU that begins later, or
  ends earlier, is idle there.
population: >-
  complete iterations that are no warm-up, or the time from the first operation of any GPU to the last one; of several GPUs
  that take part (run.gpus) the mean
needs: [gpu_trace]
empty: the GPU is never idle
---*/
SELECT coalesce(
    (SELECT sum(duration - gpu_busy) / nullif(sum(duration), 0) FROM steady_iterations),
    (SELECT nullif(sum(idle), 0) / nullif(sum(length), 0) FROM steady_idle)
) AS value

/*---
name: steady_iterations
title: Steady iterations
unit: count
definition: >-
  Iterations that statistics are made of: complete ones that are no warm-up.
population: >-
  operations of the busiest GPU stream
---*/
SELECT count(*) AS value FROM steady_iterations

/*---
name: steady_kernel_time
title: Mean kernel time in steady iterations
better: higher
definition: >-
  Mean duration of the kernels of steady iterations. Short kernels leave the GPU waiting for launches.
population: >-
  kernels that begin in complete iterations that are no warm-up; all streams and GPUs
needs: [gpu_trace, iterations, every_kernel, unsampled]
caveat: >-
  A mean over all kernels; their durations usually differ by orders of magnitude. On compute capability 9
  and newer it covers those that HPCToolkit sees. Not given where PC sampling was on, which keeps kernels
  apart, so that what launching costs cannot be told.
empty: no kernel runs in steady iterations
---*/
SELECT avg(operation.duration) / 1e9 AS value, nullif(count(*), 0) AS n
FROM steady_bounds AS steady
JOIN gpu_operation AS operation ON operation.start >= steady.start AND operation.start < steady.stop
WHERE operation.operation = 'kernel'

/*---
name: steady_utilisation
title: GPU utilisation of steady iterations
unit: ratio
better: higher
definition: >-
  Share of the time of iterations in which at least one operation runs on any stream of a
  GPU. Start-up, warm-up and what follows the last iteration are left out, so that longer runs
  have the same figure.
population: >-
  complete iterations that are no warm-up; of several GPUs the mean
caveat: >-
  Says that something ran, not how much of the GPU it used.
empty: every iteration is warm-up
---*/
SELECT sum(gpu_busy) / nullif(sum(duration), 0) AS value, nullif(count(*), 0) AS n
FROM steady_iterations
