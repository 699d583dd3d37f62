/*---
defaults:
  unit: s
  better: lower
  population: >-
    complete iterations that are no warm-up; of a server medians and spreads are of steps of one kind, that of which there are most
  needs: [gpu_trace, iterations]
  source: traces
---*/

/*---
name: iteration_copy_wait_share
title: Waits for copies, share of steady iterations
unit: ratio
definition: >-
  Share of the time of steady iterations in which a copy runs on a GPU, no kernel does, and the next kernel may wait for
  the copy: it starts no sooner than the copy ends. Where kernels of a GPU run in several streams, every copy beside no kernel counts.
population: >-
  complete iterations that are no warm-up; GPU operations of all streams, of several GPUs the mean
caveat: >-
  Which operation waits for which is not recorded: an upper bound.
empty: every iteration is warm-up
---*/
SELECT copy / nullif(length, 0) AS value
FROM copy_waits_in_parts
WHERE part = 'steady iterations'

/*---
name: iteration_exposed_copy
title: Exposed copy time within iterations
definition: >-
  Time in which a copy runs on a GPU and no kernel does, from the begin of the first iteration on it to
  the end of the last one: without copies that are made once, such as those of a model.
population: >-
  GPU operations of all streams, of several GPUs the mean; iterations of a warm-up included
---*/
SELECT copy / 1e9 AS value
FROM alone_in_parts
WHERE part = 'iterations'

/*---
name: iteration_exposed_copy_share
title: Exposed copies, share of steady iterations
unit: ratio
definition: >-
  Share of the time of steady iterations in which a copy runs on a GPU and no kernel does: without
  copies that are made once, such as those of a model.
population: >-
  complete iterations that are no warm-up; GPU operations of all streams, of several GPUs the mean
empty: every iteration is warm-up
---*/
SELECT copy / nullif(length, 0) AS value
FROM alone_in_parts
WHERE part = 'steady iterations'

/*---
name: iteration_gpu_busy
title: GPU busy time of an iteration
better: neither
definition: >-
  Median over iterations of the time in the iteration in which any operation runs on a GPU.
population: >-
  complete iterations that are no warm-up; of several GPUs the mean
---*/
SELECT median(gpu_busy) / 1e9 AS value, count(*) AS n FROM usual_iterations

/*---
name: iteration_kernel_alone
title: Kernel time beside no copy within iterations
better: neither
definition: >-
  Time in which a kernel runs on a GPU and no copy does, from the begin of the first iteration on it to
  the end of the last one: what copies could hide behind.
population: >-
  GPU operations of all streams, of several GPUs the mean; iterations of a warm-up included
---*/
SELECT kernel / 1e9 AS value
FROM alone_in_parts
WHERE part = 'iterations'

/*---
name: iteration_kernel_alone_share
title: Kernels beside no copy, share of steady iterations
unit: ratio
better: neither
definition: >-
  Share of the time of steady iterations in which a kernel runs on a GPU and no copy does: what copies of
  these iterations could hide behind.
population: >-
  complete iterations that are no warm-up; GPU operations of all streams, of several GPUs the mean
empty: every iteration is warm-up
---*/
SELECT kernel / nullif(length, 0) AS value
FROM alone_in_parts
WHERE part = 'steady iterations'

/*---
name: iteration_median
title: Median iteration
definition: >-
  Median duration of an iteration, from its begin to that of the next one; see time.iterations. A marked step begins when the
  host begins it and GPUs have ended what was launched before.
---*/
SELECT length / 1e9 AS value, n FROM iteration_length

/*---
name: iteration_outliers
title: Outlying iterations
unit: count
definition: >-
  Iterations after the warm-up that differ from the median by more than three robust standard
  deviations (1.4826 times the median absolute deviation) and by more than 5 %.
---*/
SELECT count(*) AS value FROM iteration WHERE mark = 'outlier'

/*---
name: iteration_overlap_share
title: Overlapped share of copies in steady iterations
unit: ratio
better: higher
definition: >-
  Share of the time in which a copy runs on a GPU, within steady iterations, in which a kernel runs on the
  same one as well: without copies that are made once, such as those of a model.
population: >-
  complete iterations that are no warm-up; GPU operations of all streams and GPUs
empty: no copy runs in steady iterations
---*/
SELECT coalesce(sum(part) FILTER (WHERE kernels > 0), 0) / nullif(sum(part), 0) AS value
FROM (
    SELECT level.kernels, least(level.stop, whole.stop) - greatest(level.start, whole.start) AS part
    FROM gpu_level AS level CROSS JOIN steady_bounds AS whole
    WHERE level.copies > 0 AND level.start < whole.stop AND level.stop > whole.start
)

/*---
name: iteration_profiler
title: The profiler's own calls, per iteration
definition: >-
  The mean time per steady iteration in which the GPU is idle and launching threads were sampled in the
  libraries by which HPCToolkit measures it: the phase profiler. Idle time is shared out by the samples taken
  in it: 95 % Wilson interval.
needs: [cpu_trace, gpu_trace, launching, iterations, host_samples]
source: traces; names of functions, and of the profiler's libraries
caveat: >-
  What else the profiler costs is not left out: lost samples, other threads, kernels that sampling keeps apart.
  The interval takes samples as independent, and those that were lost as lost anywhere.
empty: no function on the calling paths tells a phase
---*/
SELECT profiler / iterations / 1e9 AS value, profiler_low / iterations / 1e9 AS low, profiler_high / iterations / 1e9 AS high, n
FROM unprofiled_iterations

/*---
name: iteration_q1
title: First quartile of iterations
definition: >-
  Duration that a quarter of the iterations do not exceed.
---*/
SELECT quantile_cont(duration, 0.25) / 1e9 AS value, count(*) AS n FROM usual_iterations

/*---
name: iteration_q3
title: Third quartile of iterations
definition: >-
  Duration that three quarters of the iterations do not exceed.
---*/
SELECT quantile_cont(duration, 0.75) / 1e9 AS value, count(*) AS n FROM usual_iterations

/*---
name: iteration_trend
title: Trend of iterations
unit: ratio
definition: >-
  Relative change of the median iteration from the first half of the iterations to the second
  half: positive where they get slower.
empty: fewer than four iterations are complete
---*/
SELECT median(duration) FILTER (WHERE late) / median(duration) FILTER (WHERE NOT late) - 1 AS value, count(*) AS n
FROM (SELECT duration, row_number() OVER (ORDER BY iteration) > count(*) OVER () / 2 AS late FROM usual_iterations)
HAVING count(*) >= 4

/*---
name: iteration_variation
title: Variation of iterations
unit: ratio
definition: >-
  Standard deviation of the durations of iterations over their mean: the coefficient of
  variation. Outliers are in it.
source: by definition; TraceLens judges instances of one operation by it
empty: one iteration alone is complete, as where one step is marked
---*/
SELECT stddev_samp(duration) / nullif(avg(duration), 0) AS value, count(*) AS n
FROM usual_iterations HAVING count(*) > 1

/*---
name: iterations
title: Iterations
unit: count
better: neither
definition: >-
  Iterations of the program: by the function that profile.toml names in workload.iteration_marker, else the steps that the
  program marks, else as they are found in the order of GPU operations, where one begins with the first
  operation that occurs once in each.
population: >-
  operations of the busiest GPU stream; marked steps of its rank
caveat: >-
  Where no step is marked, found by counting: the number N is the smallest from 5 on such that calling contexts which
  occur a multiple of N times hold 90 % of the operations.
---*/
SELECT count(*) AS value FROM iteration
