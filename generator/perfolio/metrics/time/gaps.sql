/*---
defaults:
  unit: s
  better: lower
  population: >-
    the GPU span, all streams; of several GPUs the mean
  needs: [gpu_trace]
  source: traces
---*/

/*---
name: gap_time
title: Time in gaps
definition: >-
  Time within the span of a GPU in which no operation runs on any of its streams.
---*/
SELECT coalesce(sum(duration), 0) / gpus() / 1e9 AS value
FROM gpu_gap

/*---
name: gaps
title: Gaps between GPU operations
unit: count
definition: >-
  Intervals within steady iterations in which no operation runs on any stream of a GPU.
population: >-
  steady iterations, or the GPU span where none were found; all streams, of several GPUs the
  sum
---*/
SELECT count(*) AS value FROM steady_gaps

/*---
name: idle_chunks
title: Chunks in which the GPU is mostly idle
unit: count
definition: >-
  Of 30 equal parts of the time of steady iterations, those in which operations run on a GPU for less than half
  of the time.
population: >-
  from the first to the last steady iteration, or the GPU span where none were found; all streams, of
  several GPUs the mean
source: Nsight Systems' rule gpu_time_util, which has 30 chunks of the GPU's time
---*/
SELECT count(*) AS value FROM gpu_bins WHERE whole = 'steady' AND busy < 0.5 * (stop - start)

/*---
name: idle_in_long_gaps
title: Idle time in gaps that neither launches nor PC samples explain
unit: ratio
definition: >-
  Share of the GPU's idle time within steady iterations that is in gaps longer than 50 µs, or than 5 ms
  where PC samples were collected.
population: >-
  steady iterations, or the GPU span where none were found; all streams
source: >-
  50 µs is ten times the cost of a launch; PC sampling serialises kernels and puts gaps of up to
  some milliseconds between them
empty: the GPU is never idle in this time
---*/
SELECT coalesce(sum(gap.duration) FILTER (WHERE gap.duration > limits.longest), 0) / nullif(sum(gap.duration), 0) AS value
FROM steady_gaps AS gap
CROSS JOIN (SELECT CASE WHEN pc_sampled() THEN 5e6 ELSE 5e4 END AS longest) AS limits

/*---
name: iteration_gap_share
title: Longest gap, share of an iteration
unit: ratio
definition: >-
  Median of the longest time without a GPU operation in an iteration over the median duration of
  an iteration.
population: >-
  complete iterations that are no warm-up; of several GPUs the mean
needs: [gpu_trace, iterations]
---*/
SELECT median(gap.longest_gap) / nullif(any_value(usual.length), 0) AS value, count(*) AS n
FROM steady_iterations AS gap CROSS JOIN iteration_length AS usual

/*---
name: iteration_gap_time
title: Longest gaps of all iterations
definition: >-
  Sum over iterations of the longest time in the iteration without a GPU operation.
population: >-
  all iterations, those of a warm-up and the last one included
needs: [gpu_trace, iterations]
---*/
SELECT sum(longest_gap) / 1e9 AS value FROM iteration

/*---
name: iteration_longest_gap
title: Longest gap of an iteration
definition: >-
  Median over iterations of the longest time in the iteration without an operation on a GPU.
population: >-
  complete iterations that are no warm-up; of several GPUs the mean, each with its whole gaps that begin in the
  iteration: GPUs begin one at slightly different times
needs: [gpu_trace, iterations]
---*/
SELECT median(longest_gap) / 1e9 AS value, count(*) AS n FROM steady_iterations

/*---
name: kernel_distance
title: Distance between kernels
definition: >-
  Median time from the end of a kernel to the begin of the next one, over pairs of kernels that
  follow each other on one stream with no other operation between them.
population: >-
  kernels of all streams; one that begins before the end of the one before counts as 0
caveat: >-
  What the host does between two launches counts as well, and so does the profiler: PC sampling
  runs kernels one after another and keeps them apart.
empty: no two kernels follow each other on a stream
---*/
SELECT median(greatest(distance, 0)) / 1e9 AS value, nullif(count(*), 0) AS n
FROM (
    SELECT operation, lead(operation) OVER line AS after, lead(start) OVER line - start - duration AS distance
    FROM gpu_operation
    WINDOW line AS (PARTITION BY profile ORDER BY start, duration)
)
WHERE operation = 'kernel' AND after = 'kernel'

/*---
name: long_gap_share
title: Long gaps, share of steady iterations
unit: ratio
definition: >-
  Share of the time of steady iterations in gaps that are longer than 50 µs each. Start-up, warm-up and
  the end of the run are not in it. Not given where PC sampling was on.
population: >-
  steady iterations, or the GPU span where none were found; all GPUs and streams
needs: [gpu_trace, unsampled]
---*/
SELECT coalesce(sum(duration) FILTER (WHERE duration > 50000), 0)
    / nullif((
        SELECT sum(least(device.stop, span.stop) - greatest(device.start, span.start))
        FROM gpu_device AS device JOIN steady_span AS span ON device.start < span.stop AND device.stop > span.start
    ), 0) AS value
FROM steady_gaps

/*---
name: long_gap_time
title: Time in long gaps
definition: >-
  Time within steady iterations in gaps that are longer than 50 µs each. Start-up, warm-up and the end of
  the run are not in it.
population: >-
  steady iterations, or the GPU span where none were found; all streams, of several GPUs the
  mean
---*/
SELECT coalesce(sum(duration) FILTER (WHERE duration > 50000) / gpus(), 0) / 1e9 AS value
FROM steady_gaps

/*---
name: longest_gap
title: Longest gap
definition: >-
  The longest time within steady iterations in which no operation runs on any stream of a GPU. Start-up,
  warm-up and the end of the run are not in it.
population: >-
  steady iterations, or the GPU span where none were found; all streams, any GPU
---*/
SELECT coalesce(max(duration), 0) / 1e9 AS value FROM steady_gaps

/*---
name: longest_other_gap
title: Longest gap beside the long wait of iterations
definition: >-
  The longest time within steady iterations in which no operation runs on any stream of a GPU, where the
  longest gap of each iteration is left out if that is a wait of its own: more than 5 ms and a fifth of the
  iteration, by the medians.
population: >-
  complete iterations that are no warm-up; all streams, any GPU
needs: [gpu_trace, iterations]
---*/
SELECT coalesce(max(gap.duration), 0) / 1e9 AS value
FROM steady_gaps AS gap
ANTI JOIN long_waits AS wait ON wait.device = gap.device AND wait.start = gap.start

/*---
name: sample_distance
title: Distance of samples of CPU threads
better: neither
definition: >-
  The usual time from one sample of a CPU thread to its next: their median over the run, or a thread's CPU time
  per sample where that is known and less, of the thread where it is largest.
population: CPU trace lines of all profiles
needs: [cpu_trace]
empty: no CPU thread was sampled
---*/
SELECT max(longest / CASE clock WHEN 'running' THEN 1 ELSE 10 END) / 1e9 AS value
FROM trace_line
WHERE kind = 'CPU thread'
HAVING max(longest) > 0

/*---
name: sampling_gaps
title: Gaps that PC sampling may have made
definition: >-
  Time in gaps of up to 5 ms between GPU operations, in a run with PC sampling. How much of it is the
  profiler's own calls only samples of the host tell: time.sampling_gaps_profiler.
source: >-
  PC sampling runs kernels one after another and puts gaps of up to some milliseconds between them
empty: PC sampling was off
---*/
SELECT CASE WHEN pc_sampled()
    THEN coalesce((SELECT sum(duration) FROM gpu_gap WHERE short) / gpus(), 0) / 1e9 END AS value

/*---
name: sampling_gaps_profiler
title: The profiler's own calls in gaps that PC sampling may have made
definition: >-
  Of the gaps of up to 5 ms between GPU operations, in a run with PC sampling, the time in which launching
  threads were sampled in the libraries by which HPCToolkit measures the GPU.
population: >-
  from the first GPU operation on; of several GPUs the mean
needs: [cpu_trace, gpu_trace, launching, host_samples]
source: traces; names of the libraries
caveat: >-
  Gaps are shared by the samples taken in gaps of like length; the profiler loses some.
empty: PC sampling was off, or no thread was sampled within CUPTI or its like
---*/
SELECT CASE WHEN pc_sampled() AND EXISTS (FROM profiler_contexts) THEN coalesce(sum(profiler) FILTER (WHERE gap = 'short'), 0) / 1e9 END AS value
FROM idle_parts

/*---
name: unsampled_idle_share
title: GPU idle share of the GPU span without short gaps
unit: ratio
definition: >-
  In a run with PC sampling: the share of what is left of the GPU span without the gaps that
  sampling may have made in which no operation runs. Near 0, nothing but GPU operations is left,
  and the run says nothing of how much they matter.
population: >-
  the GPU span less gaps of up to 5 ms, all streams; of several GPUs the mean
source: idle time over idle and busy time, gaps of up to 5 ms left out
empty: PC sampling was off
---*/
SELECT CASE WHEN pc_sampled() THEN idle / nullif(idle + busy, 0) END AS value
FROM (
    SELECT busy, coalesce((SELECT sum(duration) FROM gpu_gap WHERE duration > 5e6) / gpus(), 0) AS idle
    FROM gpu_use
)
