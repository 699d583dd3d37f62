/*---
defaults:
  unit: ratio
  better: lower
  population: >-
    CPU trace lines of all profiles; from the first trace point to the last
  needs: [cpu_time, cpu_trace]
  source: traces; names of functions and files in the store's table phase_pattern; profile.toml
  empty: >-
    threads were sampled by elapsed time, the run works on a GPU, less than nine tenths of the time in
    which nothing runs end in Python, or threads may have waited for half of it or more
---*/

/*---
name: batch
title: Time per batch
unit: s
definition: >-
  Elapsed time of the main thread as profiled, from the first sign of preparing input data to the last sign of training, over the
  number of batches that profile.toml gives.
population: >-
  main threads' elapsed time from the first stretch before a sample in input data to the last sample in input
  data, the forward pass, the backward pass or the optimizer; runs without GPU operations, whose iterations tell it better
needs: [cpu_trace, workload.batches]
caveat: >-
  As profiled: where the profiler slows down a part, as it does Python, a batch takes too long. That
  the batches of profile.toml are those of this run is taken on trust.
empty: no sample of a main thread shows input data, GPU operations tell iterations, or profile.toml gives no number above 0
---*/
SELECT seconds / batches AS value, CAST(batches AS BIGINT) AS n
FROM training_span

/*---
name: batch_running
title: Running time per batch
unit: s
definition: >-
  Time for which samples show the main thread running, from the first sign of preparing input data to the
  last sign of training, over the number of batches that profile.toml gives.
population: >-
  main threads' samples of CPU time within the time that the metric time.batch is of; of several ranks the mean
needs: [cpu_time, cpu_trace, workload.batches]
caveat: >-
  What the main thread waits for is not in it: files, other processes, other threads. What the profiler adds
  to the time that it runs is.
empty: >-
  no main thread was sampled by CPU time, none shows input data, GPU operations tell iterations, or
  profile.toml gives no number above 0
---*/
SELECT sum(least(held.stop, trained.last) - greatest(held.start, trained.first)) / 1e9
    / (SELECT count(*) FROM main_threads) / any_value(trained.batches) AS value
FROM (
    -- Times since the epoch are too long for a DOUBLE.
    SELECT span.start + CAST(training.first AS BIGINT) AS first, span.start + CAST(training.last AS BIGINT) AS last, training.batches
    FROM training_span AS training
    JOIN cpu_trace_span AS span ON true
) AS trained
JOIN cpu_interval AS held ON held.start < trained.last AND held.stop > trained.first
JOIN main_threads AS main ON main.profile = held.profile
JOIN trace_line AS line ON line.profile = held.profile AND line.clock = 'running'
HAVING value > 0

/*---
name: batch_samples
title: Samples per second
unit: "1"
better: higher
definition: >-
  Samples that the run as profiled trains on per second of the main thread's elapsed time: the batch size that profile.toml
  gives, over the metric time.batch.
population: that of the metric time.batch
needs: [cpu_trace, workload.batches, workload.batch_size]
caveat: >-
  As profiled, like time.batch. That batches and batch size of profile.toml are those of this run is taken on trust.
empty: no sample of a main thread shows input data, GPU operations tell iterations, or profile.toml gives no number above 0
---*/
SELECT batches * size / seconds AS value
FROM training_span
JOIN (
    SELECT TRY_CAST(value AS DOUBLE) AS size FROM setting WHERE key = 'workload.batch_size'
) ON size > 0

/*---
name: cpu_balance
title: Load balance of CPU threads
better: higher
definition: >-
  Mean running time of CPU threads over that of the thread that runs longest.
population: >-
  CPU trace lines of threads that work (at least 1 % of the work of their process's busiest one), or of
  all that run where the profile does not tell; one thread alone has no balance
needs: [cpu_trace]
source: >-
  POP's load balance: mean over maximum
caveat: >-
  A thread runs
  for its CPU time where that was recorded, as traces lack samples, else as long as the trace says. Nothing is said
  where threads may have run for long without a sample (see time.efficiency).
empty: >-
  CPU threads may have run while no sample shows one, or fewer than two threads that work were sampled by CPU time; by
  elapsed time, this would compare how long threads lived
---*/
SELECT avg(running) / nullif(max(running), 0) AS value
FROM thread_running AS thread
JOIN trace_line ON trace_line.profile = thread.profile AND trace_line.clock = 'running'
LEFT JOIN thread_work AS worker ON worker.profile = thread.profile
WHERE running > 0 AND samples_tell_running() AND (worker.works OR NOT EXISTS (SELECT 1 FROM thread_work WHERE works))
HAVING count(*) > 1

/*---
name: cpu_load
title: CPU time per wall time
unit: threads
better: neither
definition: >-
  CPU time of all threads over the wall time: how many threads ran at once, on average, as far as samples saw them.
population: >-
  all CPU threads; wall time from the first to the last trace point
source: by definition; CPU time from the profile, wall time from the trace
empty: null
---*/
SELECT total.value / nullif((SELECT (stop - start) / 1e9 FROM cpu_trace_span), 0) AS value
FROM total
WHERE total.name = 'cpu_time'

/*---
name: cpu_running
title: CPU threads seen at once
unit: threads
better: neither
definition: >-
  CPU threads that are seen at once, on average over the wall time. By samples of CPU time these are those
  that run, by samples of elapsed time those that wait, too.
population: >-
  CPU trace lines of all profiles
needs: [cpu_trace]
source: traces
caveat: >-
  By samples of CPU time, a sample stands for one period of it: the median distance of two
  samples, or the thread's CPU time over its samples where the profile tells it and that is less; and for
  the time before it where the profile charges it with more than ten periods. So no thread runs for longer than its CPU
  time. By samples of elapsed time, a thread counts to
  the next point, for ten times that distance at most, and also while it waits. Lost samples make
  the number too small: CPU time per wall time, where it was recorded, has those that the trace alone lacks,
  and lacks those that the profiler dropped, as it does in its own code.
empty: null
---*/
SELECT coalesce((SELECT sum(duration) FROM cpu_time), 0) / nullif(stop - start, 0) AS value
FROM cpu_trace_span

/*---
name: nothing_runs_clocked
title: Time in which no thread is seen running by samples, but CPU clocks may
better: neither
definition: >-
  Of the time in which no sample shows a CPU thread running, the part that ends with a sample taken a whole number of
  the timer's periods after the last one of its thread. The timer goes by the thread's CPU time, so that a
  thread whose samples are dropped while it runs comes back at such a moment always, and one that waits by
  chance: half of the time at most, unless its waits have such lengths themselves. What this part is longer than the
  rest is therefore no wait.
population: >-
  CPU trace lines of all profiles of a run without GPU work; stretches between the first and the last sample
source: >-
  traces, by the model timer_gaps; timer_create(2) with CLOCK_THREAD_CPUTIME_ID, which Linux checks at
  each tick
empty: >-
  threads were sampled by elapsed time, the run works on a GPU, some thread always runs, or nearly all gaps between samples are whole
  periods, as they are where a tick is as long as a period
---*/
SELECT sum(clocked) / nullif(sum(duration), 0) AS value
FROM idle_time
HAVING sum(clocked) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM gpu_span)

/*---
name: nothing_runs_profiler
title: Wall time that is most likely the profiler's own
definition: >-
  Of the metric time.nothing_runs_python, the part that ends with a sample taken a whole number of the timer's
  periods after the last one of its thread (see the metric time.nothing_runs_clocked): the thread ran, and the profiler
  dropped its samples.
source: >-
  The model nothing_runs_python, of traces; timer_create(2) with CLOCK_THREAD_CPUTIME_ID, which Linux
  checks at each tick. Waits end on whole periods half of the time at most, by chance. So the low end
  leaves out as much of this part as the rest has, as if both were waits; the high end is that of no such
  wait
caveat: >-
  Waits that each last a whole number of the timer's periods are seen alike. What the profiler adds to the time that threads are
  seen running is not in it, nor what it drops in a stretch in which the thread waits as well.
---*/
SELECT clocked / wall AS value, greatest(2 * clocked - spent, 0) / wall AS low, clocked / wall AS high, 'with waits by chance' AS "interval"
FROM nothing_runs_python

/*---
name: nothing_runs_python
title: Wall time in which no thread is seen running, nearly all of it in Python
definition: >-
  The metric time.nothing_runs_share of a run without GPU work, where nine tenths of this time at least
  end in a sample with a function of Python on its calling path, as they do where the profiler's own hook
  in Python takes the time (how much of it: see the metric time.nothing_runs_profiler), and CPU clocks ran meanwhile:
  the metric time.nothing_runs_clocked is 0.75 at
  least, where waits alone have 0.5 at most by chance.
source: >-
  the model nothing_runs_python, of traces; hpcrun/logical/python.c sets a hook that Python calls at each
  call
caveat: >-
  Waits that each last a whole number of the timer's periods are seen alike.
---*/
SELECT spent / wall AS value
FROM nothing_runs_python

/*---
name: nothing_runs_share
title: Wall time in which no thread is seen running
definition: >-
  Share of the wall time in which no sample shows a CPU thread running and no GPU operation was
  recorded.
population: >-
  CPU trace lines and GPU streams of all profiles; from the first trace point to the last
source: traces
caveat: >-
  By samples of CPU time: a thread that is within a call, waits for a disk or another process, or
  has no core is seen alike, and so is one in which the profiler itself runs: a sample that hits the
  profiler's code is dropped. With Python's functions recorded (hpcrun -a python) the profiler's code runs
  at each call in Python, so that Python shows more of it than there would be without a profiler.
empty: threads were sampled by elapsed time, which passes while they wait as well
---*/
SELECT coalesce((SELECT sum(duration) FROM idle_time), 0) / nullif(span.stop - span.start, 0) AS value
FROM cpu_trace_span AS span
WHERE EXISTS (SELECT 1 FROM trace_line WHERE clock = 'running')

/*---
name: nothing_runs_waits
title: Waits in the wall time in which no thread is seen running, at most
unit: s
definition: >-
  Twice what of the metric time.nothing_runs_python does not end a whole number of the timer's periods after the last sample
  of its thread: waits end on whole periods half of the time at most, by chance. They would be there
  without the profiler, too.
source: >-
  The model nothing_runs_python, of traces; timer_create(2) with CLOCK_THREAD_CPUTIME_ID, which Linux
  checks at each tick
caveat: >-
  Waits that each last a whole number of the timer's periods count as none. Of a stretch in which the profiler drops samples
  and the thread waits as well, all counts.
---*/
SELECT least(2 * (spent - clocked), spent) / 1e9 AS value
FROM nothing_runs_python

/*---
name: wall_running
title: Wall time in which a thread is seen running
unit: s
definition: >-
  Wall time less the time in which no sample shows a CPU thread running and no GPU operation was
  recorded.
population: >-
  CPU trace lines and GPU streams of all profiles; from the first trace point to the last
source: traces
caveat: >-
  By samples of CPU time. Waits of the program for files or other processes are not in it, and what the
  profiler adds to the time that threads run is.
empty: threads were sampled by elapsed time, which passes while they wait as well
---*/
SELECT (span.stop - span.start - coalesce((SELECT sum(duration) FROM idle_time), 0)) / 1e9 AS value
FROM cpu_trace_span AS span
WHERE EXISTS (SELECT 1 FROM trace_line WHERE clock = 'running')
