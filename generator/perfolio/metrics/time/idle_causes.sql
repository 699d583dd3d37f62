/*---
defaults:
  unit: ratio
  better: lower
  population: >-
    complete iterations that are no warm-up
  needs: [cpu_trace]
  source: traces
---*/

/*---
name: blame_launches
title: GPU operations that the blamed function launches
definition: >-
  Share of the run's GPU operations whose calling path holds the function that runs while the GPU
  is idle in steady iterations. Much of them: the function is the loop that launches, or the call
  that does, and idle time in it is the pace of launching. Few: it holds up the launches of others.
population: all GPU operations of all streams; the function as for the functions that run while the GPU is idle
needs: [cpu_trace, gpu_trace, launching]
source: HPCToolkit's idleness blame, by gaps, and the calling paths of operations
caveat: >-
  Where the profiler lost frames of a calling path, the share is too low.
empty: >-
  no launching thread was sampled while the GPU was idle, or fewer than 20 times where all gaps are shorter than the
  distance of samples
---*/
WITH ran AS MATERIALIZED (
    SELECT enclosing.frame, count(*) AS operations
    FROM gpu_operation
    JOIN gpu_context ON gpu_context.context = gpu_operation.context
    JOIN enclosing_frame AS enclosing ON enclosing.context = gpu_context.launcher
    GROUP BY enclosing.frame
),
below AS (
    SELECT DISTINCT path.target
    FROM path_frames((SELECT list(frame) FROM ran)) AS path
    JOIN blame_focus AS focus ON focus.position = 1 AND focus.name = path.name
)
SELECT CASE WHEN any_value(launches) THEN 1
    ELSE coalesce(sum(operations) FILTER (WHERE frame IN (SELECT target FROM below)), 0) / sum(operations) END AS value
FROM ran
CROSS JOIN (
    SELECT regexp_matches(name, '^(cu|cuda|hip)(Module|ExtModule|Graph)?Launch') AS launches
    FROM blame_focus WHERE position = 1
)
HAVING count(*) > 0

/*---
name: blame_waits
title: GPU idle time in which the host waits
definition: >-
  Share of the GPU's idle time within steady iterations in which launching threads waited: for the GPU, in calls that
  synchronise, copy or free memory, or for another thread's backward pass. No function is blamed for it.
population: as for the functions that run while the GPU is idle
needs: [cpu_trace, gpu_trace, launching]
source: names of functions, listed in the model gpu_wait, and the models frame and backward_waits
caveat: >-
  The end of a wait is idle time of its own: what the GPU did is over, and the host has not returned yet.
empty: no launching thread was sampled while the GPU was idle
---*/
SELECT coalesce(sum(blame.duration) FILTER (
        WHERE frame.lexical_type <> 'entry' AND frame.frame NOT IN (SELECT target FROM blame_paths)
    ), 0) / sum(blame.duration) AS value
FROM recurring_blame AS blame
JOIN enclosing_frame AS enclosing ON enclosing.context = blame.context
JOIN frame ON frame.frame = enclosing.frame
HAVING sum(blame.duration) > 0

/*---
name: blamed_share
title: Sampled share of GPU idle time
better: higher
definition: >-
  Share of the GPU's idle time within steady iterations that samples of launching threads taken in it account
  for, one period each: what the blame rests on.
population: >-
  gaps in complete iterations that are no warm-up, or in the GPU span where no iterations were
  found; of several GPUs the mean, against threads of the same rank. Launching
  threads are CPU threads with a sample that shares at least half of the calling path of a GPU
  operation.
needs: [cpu_trace, gpu_trace, launching]
caveat: >-
  A sample of CPU time stands for one period of it. HPCToolkit loses samples, in Python code most
  of all, and takes none of a thread that waits: the rest is one or the other.
---*/
SELECT coalesce(sum(sampled), 0) / nullif(recurring_idle(), 0) AS value
FROM recurring_blame

/*---
name: data_dropped_share
title: Input data without samples while the CPU clock runs
definition: >-
  Share of the main thread's elapsed time in input data (see time.main_thread) in which the profiler dropped its samples
  while its CPU clock ran, as it does of samples that hit its own code: in Python, a hook that runs at each call.
population: >-
  the lowest-numbered CPU thread of the run, of several ranks those of all
source: >-
  traces; names of functions in the store's table phase_pattern; hpcrun/logical/python.c sets the hook;
  timer_create(2) with CLOCK_THREAD_CPUTIME_ID
caveat: >-
  Waits that each last a whole number of the timer's periods look the same.
empty: >-
  no main thread was sampled by CPU time in input data, or nearly all gaps between samples are whole periods, as
  they are where a tick is as long as a period
---*/
SELECT value FROM dropped_share WHERE part = 'data' AND value IS NOT NULL

/*---
name: data_share
title: Share of an iteration spent on input data
definition: >-
  Share of the time of steady iterations in the phase data: the GPU is idle while launching
  threads load, make or collate input, or it runs operations launched by these. The idle time is
  shared out as in time.iteration_phases: 95 % Wilson interval of what samples tell, in whose upper end
  idle time without any sample counts as input, too. Where operations tell nearly all idle time, there
  is no interval.
needs: [cpu_trace, gpu_trace, launching, iterations]
source: traces; names of functions of PyTorch, TensorFlow and their companions
caveat: >-
  Told by names of functions. Input that is made while the GPU works costs nothing and does not
  count. The interval takes samples as independent, and those that were lost as lost anywhere.
empty: >-
  no function on the calling paths tells a phase, or the run has ranges alone, without source files and
  the name of a data loader, by which input could be told
---*/
WITH whole AS (
    SELECT sum(gpu_idle - told) FILTER (WHERE phase = 'data') AS idle,
        sum(gpu_busy + told) FILTER (WHERE phase = 'data') AS busy,
        coalesce(sum(gpu_idle - told) FILTER (WHERE phase <> 'not told'), 0) AS blamed,
        sum(gpu_idle) FILTER (WHERE phase = 'not told') AS unknown,
        any_value(length) AS length, any_value(n) AS n
    FROM iteration_parts
),
share AS (
    SELECT *, coalesce(idle, 0) / nullif(blamed, 0) AS part, blamed + unknown > 0.0005 * length AS sampled
    FROM whole
)
SELECT (coalesce(busy, 0) + coalesce(idle, 0)) / length AS value,
    CASE WHEN sampled THEN (coalesce(busy, 0) + blamed * blame_low(part, n)) / length END AS low,
    CASE WHEN sampled THEN (coalesce(busy, 0) + blamed * blame_high(part, n) + unknown) / length END AS high, n
FROM share
WHERE (SELECT told FROM input_told)

/*---
name: importing_dropped_share
title: Importing modules without samples while the CPU clock runs
definition: >-
  Share of the main thread's elapsed time in imports of modules (see time.main_thread) in which the profiler dropped its samples
  while its CPU clock ran, as it does of samples that hit its own code: in Python, a hook that runs at each call.
population: >-
  the lowest-numbered CPU thread of the run, of several ranks those of all
source: >-
  traces; names of functions in the store's table phase_pattern; hpcrun/logical/python.c sets the hook;
  timer_create(2) with CLOCK_THREAD_CPUTIME_ID
caveat: >-
  Waits that each last a whole number of the timer's periods look the same.
empty: >-
  no main thread was sampled by CPU time in imports of modules, or nearly all gaps between samples are whole periods, as
  they are where a tick is as long as a period
---*/
SELECT value FROM dropped_share WHERE part = 'importing' AND value IS NOT NULL

/*---
name: loading_share
title: First launches that load code, share of the run
definition: >-
  Time of the calls that launch a kernel for the first time and so load its code, as a share of the time of the run:
  counted where they take most of the time of all launches.
population: calls of the run that launch kernels
needs: [trace]
source: the table plausibility
empty: the run has no length
---*/
SELECT coalesce((SELECT sum("time") FROM plausibility WHERE what = 'first_launches'), 0) / nullif(stop - start, 0) AS value
FROM traced_span

/*---
name: main_data_share
title: Main thread's time spent on input data
definition: >-
  Share of the main thread's time in which it prepares input data, as functions on the calling path
  tell it: of the time for which samples of CPU time show it running, or of its elapsed time where it was
  sampled by that; that part of the metrics time.main_running and time.main_thread. What
  imports modules, what starts a GPU and the profiler's own calls are left out of the whole; a wait for
  the GPU prepares nothing. Where functions tell that the program trains, what they do not tell
  is left out too: it is mostly before the first batch and after the last.
population: >-
  the lowest-numbered CPU thread of each process, from its first
  trace point to its last sample
source: traces; names of functions and files in the store's table phase_pattern
caveat: >-
  Waiting for files or other processes is not in it where samples are of CPU time.
empty: >-
  no main thread was sampled, or the run has ranges alone, without source files and the name of a data
  loader, by which input could be told
---*/
SELECT coalesce(sum(spent) FILTER (WHERE part = 'data'), 0) / sum(spent) AS value
FROM (
    SELECT coalesce(part, 'other') AS part, CASE WHEN sum(running) OVER () IS NULL THEN spent ELSE coalesce(running, 0) END AS spent,
        bool_or(coalesce(part IN ('forward', 'backward', 'optimizer'), false)) OVER () AS trains
    FROM main_stretches
)
WHERE part NOT IN ('importing', 'initialisation', 'profiler') AND NOT (trains AND part = 'other')
HAVING sum(spent) > 0 AND (SELECT told FROM input_told)

/*---
name: main_told_share
title: Main thread's time that functions tell
better: neither
definition: >-
  Share of the main thread's elapsed time of which functions on the calling path tell what the program
  does: all parts of the metric time.main_thread but other, and of waits for the GPU and
  the profiler's own calls those in a phase that is told.
population: >-
  the lowest-numbered CPU thread of each process, from its first
  trace point to its last sample
source: traces; names of functions and files in the store's table phase_pattern
empty: no main thread was sampled
---*/
SELECT coalesce(sum(spent) FILTER (WHERE part <> 'other'), 0) / sum(spent) AS value
FROM main_stretch
HAVING sum(spent) > 0

/*---
name: openmp_share
title: Time in OpenMP's library, share of its threads' lifetime
definition: >-
  Time for which samples show CPU threads in the code of an OpenMP library itself, as a share of the
  time from the first to the last trace point of the threads that were seen there. There they start and end
  parallel regions, and wait for work.
population: >-
  CPU trace lines with a sample in such a library
source: traces; names of libraries
caveat: >-
  No share of the run's time: helper threads that wait cost the run only where others need their cores.
empty: no thread was sampled in OpenMP's library
---*/
WITH spent AS MATERIALIZED (
    SELECT cpu_time.profile, enclosing.frame, sum(cpu_time.duration) AS spent
    FROM cpu_time JOIN enclosing_frame AS enclosing ON enclosing.context = cpu_time.context
    GROUP BY cpu_time.profile, enclosing.frame
),
-- Apart from the join, as in time.modules.
inside AS MATERIALIZED (
    SELECT frame FROM frame WHERE regexp_matches(parse_filename(module_path), '^lib(gomp|iomp5|omp)[^a-z]')
)
SELECT sum(spent.spent) / sum(spent.lasted) AS value
FROM (
    SELECT sum(spent.spent) AS spent, any_value(line.stop - line.start) AS lasted
    FROM spent JOIN trace_line AS line ON line.profile = spent.profile
    WHERE spent.frame IN (SELECT frame FROM inside)
    GROUP BY spent.profile
) AS spent

/*---
name: orchestration_efficiency
title: Orchestration efficiency
better: higher
definition: >-
  Busy time of the busiest GPU over the time from the first operation of any GPU to the end of the
  last one: what is missing to 1 is time in which even that GPU runs nothing. Start-up is left out.
population: >-
  operations of all streams of each GPU
needs: [gpu_trace]
source: >-
  POP's and TALP's efficiency for accelerators: largest active time of a device over elapsed time,
  here of the part of the run that uses GPUs
---*/
SELECT max(gpu.busy) / nullif(any_value(span.stop - span.start), 0) AS value
FROM (
    SELECT device, sum(stop - start) FILTER (WHERE kernels + copies + others > 0) AS busy
    FROM gpu_level GROUP BY device
) AS gpu
CROSS JOIN (SELECT start, stop FROM gpu_span) AS span
HAVING count(*) > 0

/*---
name: profiler_idle
title: Idle time of the GPU in the profiler's own calls
unit: s
definition: >-
  Idle time of the GPU in which launching threads were sampled in the libraries by which HPCToolkit measures
  it, in gaps of any length: the sum over all periods of time.idle_parts.
population: >-
  from the first GPU operation on; of several GPUs the mean
needs: [cpu_trace, gpu_trace, launching, host_samples]
source: traces; names of the libraries
caveat: >-
  Gaps are shared by the samples taken in them or in gaps of like length, by the time that each stands for where the
  profiler drops samples of running threads; of a few dropped samples nothing is known.
empty: with PC sampling, no thread was sampled within CUPTI or its like
---*/
SELECT CASE WHEN NOT pc_sampled() OR EXISTS (FROM profiler_contexts) THEN coalesce(sum(profiler), 0) / 1e9 END AS value
FROM idle_parts

/*---
name: profiler_share
title: Time in the profiler's libraries, share of wall time
definition: >-
  Share of the wall time in which launching threads are, by samples, within the libraries by which
  HPCToolkit measures the GPU: the calling path goes through NVIDIA's CUPTI or NVPerf, or the sample is
  in the code of AMD's rocprofiler or roctracer. Idle time of the GPU goes by gaps, as in time.profiler_idle, which is
  a part of this; in all other time each sample counts for as long as it stands for.
population: >-
  CPU threads that launch GPU operations, those that start a GPU included; threads at
  once count together; of several ranks the mean
needs: [cpu_trace, gpu_trace, launching, host_samples]
source: traces; names of the libraries
caveat: >-
  By samples, and without an interval. The profiler costs more than that: samples are lost, other threads and
  HPCToolkit's own code are left out, and so is the time in which PC sampling lets the GPU run nothing.
  time.main_thread has the main thread's part alone, by the stretches between its samples, with an interval, and
  without calls that start a GPU.
empty: no thread that launches GPU operations was sampled within CUPTI or its like
---*/
WITH held AS MATERIALIZED (
    SELECT profile, start, stop FROM launching_interval WHERE context IN (SELECT context FROM profiler_contexts)
),
launching AS (
    SELECT count(DISTINCT coalesce(profile.rank, 0)) AS ranks
    FROM trace_line AS line JOIN profile ON profile."index" = line.profile
    WHERE line.launching
),
seen AS (
    SELECT coalesce(sum(least(held.stop, idle.stop) - greatest(held.start, idle.start)), 0) / gpus() AS idle
    FROM held
    JOIN fed_gpus AS fed ON fed.profile = held.profile
    JOIN idle_gaps AS idle ON idle.device = fed.device AND idle.period <> 'before' AND held.start < idle.stop AND held.stop > idle.start
),
told AS (
    SELECT coalesce(sum(profiler), 0) AS idle FROM idle_parts
)
SELECT ((SELECT nullif(sum(stop - start), 0) FROM held) / launching.ranks + greatest(told.idle - seen.idle, 0)) / (span.stop - span.start) AS value
FROM cpu_trace_span AS span, launching, seen, told
WHERE span.stop > span.start

/*---
name: queued_share
title: Idle time of the GPU with launched work, share of wall time
better: neither
definition: >-
  Share of the wall time in which nothing ran on the GPU although its next operation had been launched, in pieces of more than 5 ms. An idle
  GPU begins within microseconds, or where it loads a kernel first, some milliseconds: this one most likely ran what is not in the
  recording.
population: runs of one GPU; operations whose launch was recorded
needs: [cpu_trace, gpu_trace, host_call]
source: begin and end of each call and operation
caveat: >-
  Launched work may also wait for what the host does in a function of a stream, or for another rank or process.
empty: several GPUs were recorded, of which one may wait for another
---*/
SELECT coalesce((SELECT sum(queued) FROM queued_idle), 0) / (stop - start) AS value
FROM cpu_trace_span WHERE gpus() = 1 AND stop > start

/*---
name: random_share
title: Input made from random numbers, share of the time of input data
better: neither
definition: >-
  Share of the idle time of the GPU in the phase data of steady iterations in which the calling
  path of launching threads holds a generator of random numbers, or a function whose name says
  that it makes up its data.
population: >-
  gaps in complete iterations that are no warm-up; the whole of each gap is shared by the samples of
  launching threads in it
needs: [cpu_trace, gpu_trace, launching, iterations]
source: HPCToolkit's idleness blame, by gaps; names of functions and modules, listed in the query
caveat: >-
  Told by names, and too low where the profiler lost frames of a calling path. Augmentation of
  real data draws random numbers as well, though for little of the time.
empty: no launching thread was sampled where input is loaded or made while the GPU was idle in such iterations
---*/
WITH spent AS MATERIALIZED (
    SELECT enclosing.frame, sum(blame.duration) AS spent, sum(blame.square) AS square
    FROM blame JOIN enclosing_frame AS enclosing ON enclosing.context = blame.context
    WHERE blame.steady
    GROUP BY enclosing.frame
),
input AS MATERIALIZED (
    SELECT frame AS target FROM frame WHERE phase = 'data' AND frame IN (SELECT frame FROM spent)
),
made AS MATERIALIZED (
    SELECT DISTINCT path.target
    FROM path_frames((SELECT list(target) FROM input)) AS path
    JOIN context_name AS named ON named.context = path.frame
    WHERE named.module_path LIKE '%/numpy/random/%' OR regexp_matches(
        lower(path.name),
        'mt19937|mersenne|pcg64|philox|xoroshiro|xoshiro|sfc64|curand|'
        || '(^|[^a-z])(rand|randn|randint|random_sample|standard_normal|standard_uniform|uniform_|normal_)($|[^a-z])|'
        || '(^|_)(generate|make|create|gen)_(random|uniform|normal|synthetic|dummy|fake)|(^|_)(synthetic|dummy|fake)_'
    )
)
SELECT share AS value, blame_low(share, n) AS low, blame_high(share, n) AS high, n
FROM (
    SELECT coalesce(sum(spent) FILTER (WHERE frame IN (SELECT target FROM made)), 0) / sum(spent) AS share,
        equal_samples(sum(spent), sum(square)) AS n
    FROM spent
    WHERE frame IN (SELECT target FROM input)
)

/*---
name: readback_share
title: Idle time after copies to the host, share of the short gaps
definition: >-
  Of the idle time of the GPU between the operations of steady iterations, the share of the gaps
  that follow a copy to the host that runs in at least every second iteration. The longest gap of
  each iteration is left out where it is a wait of its own: more than 5 ms and a fifth of the iteration, by
  the medians.
needs: [gpu_trace, iterations]
caveat: >-
  An upper bound of what waiting for these results costs: idle time after a copy may be the host's
  other work.
empty: the GPU has no such idle time in steady iterations
---*/
WITH steady AS MATERIALIZED (
    FROM steady_iterations
),
gap AS MATERIALIZED (
    FROM idle_gaps WHERE period IN ('steady', 'outlier') AND gap <> 'wait'
),
copy AS MATERIALIZED (
    SELECT enclosing.frame, stream.device, ran.start + ran.duration AS stop
    FROM gpu_operation AS ran
    JOIN gpu_context ON gpu_context.context = ran.context
    JOIN enclosing_frame AS enclosing ON enclosing.context = gpu_context.launcher
    JOIN gpu_stream AS stream ON stream.profile = ran.profile
    JOIN steady ON ran.start >= steady.start AND ran.start < steady.start + steady.duration
    WHERE ran.operation = 'copy D2H'
    QUALIFY 2 * count(*) OVER (PARTITION BY enclosing.frame) >= (SELECT count(*) FROM steady)
)
SELECT coalesce(sum(duration) FILTER (WHERE EXISTS (FROM copy WHERE copy.device = gap.device AND copy.stop = gap.start)), 0)
    / nullif(sum(duration), 0) AS value
FROM gap

/*---
name: top_blame
title: GPU idle time with one host function
definition: >-
  Share of the GPU's idle time within steady iterations during which launching threads ran one function or what it
  calls, and did not wait for the GPU: the function of the metric time.blame_focus. 95 % Wilson interval, in whose
  upper end idle time without any sample counts as this function's, too.
population: >-
  gaps in complete iterations that are no warm-up, or in the GPU span where no iterations were
  found; of several GPUs the mean, against threads of the same rank; gaps
  are shared by the samples of launching threads taken in them, short ones by those in all gaps of
  like length
needs: [cpu_trace, gpu_trace, launching]
source: HPCToolkit's idleness blame, by gaps
caveat: >-
  A function that runs while the GPU is idle need not be the reason for it. The interval takes
  samples as independent, and those that were lost as lost anywhere.
empty: >-
  no launching thread was sampled while the GPU was idle, or fewer than 20 times where all gaps are shorter than the
  distance of samples; or such threads did nothing then but copy and wait
---*/
SELECT inclusive / gaps AS value, low / gaps AS low, high / gaps AS high, n
FROM blame_focus
WHERE position = 1

/*---
name: transfer_share
title: Share of an iteration spent on transfers
definition: >-
  Share of the time of steady iterations in the phase transfer: copies from and to the host run,
  or the GPU is idle while launching threads ask for such copies.
needs: [cpu_trace, gpu_trace, launching, iterations]
source: traces; names of functions of PyTorch, CUDA and their companions
caveat: >-
  Told by names of functions. A copy beside a kernel counts with its part of the time in which
  any operation runs.
empty: no function on the calling paths tells a phase
---*/
SELECT coalesce(sum(gpu_busy + gpu_idle) FILTER (WHERE phase = 'transfer'), 0) / any_value(length) AS value
FROM iteration_parts

/*---
name: unprofiled_data_share
title: Share of an iteration spent on input data, without the profiler's own calls
definition: >-
  What input data (see time.data_share) take of steady iterations where the profiler's own calls (see
  time.iteration_profiler) are no part of these: an estimate of a run that is not profiled. All but what else
  is left (time.unprofiled_rest), with its interval.
needs: [cpu_trace, gpu_trace, launching, iterations]
source: traces; names of functions, and of the profiler's libraries
caveat: >-
  What else the profiler costs is not left out: lost samples, other threads, kernels that sampling keeps apart.
  The interval takes samples as independent, and those that were lost as lost anywhere.
empty: >-
  no function on the calling paths tells a phase, or the run has ranges alone, without source files and
  the name of a data loader, by which input could be told, or for most of the time for input samples were dropped while the
  CPU clock ran, most likely by the profiler's hook in Python (time.data_dropped_share): how much of it is the profiler's is not known
---*/
SELECT 1 - rest / own AS value, greatest(1 - rest_high / own, 0) AS low, 1 - rest_low / own AS high, n
FROM unprofiled_iterations
WHERE NOT hooked AND (SELECT told FROM input_told)

/*---
name: unprofiled_idle_share
title: GPU idle share of a step without the profiler
definition: >-
  What the GPU's work leaves of a step that was measured without a profiler (steps.unprofiled): 1 less time.iteration_gpu_busy
  over that step.
population: complete iterations that are no warm-up, of several GPUs the mean; the step as the author of profile.toml measured it
needs: [gpu_trace, iterations, steps, workload.step_time]
source: traces; begin and end of each step; profile.toml
caveat: >-
  Right where operations on the GPU last as long with the profiler as without it. The two steps are of different passes of the
  program, which may differ for other reasons as well.
empty: >-
  no main thread marked a step, the host is in steps not as long as iterations (within a tenth), workload.step_time is no number above 0,
  or the GPU's work takes longer than such a step, which then is of another run
---*/
SELECT 1 - typical.busy / told.step AS value
FROM (SELECT median(gpu_busy) / 1e9 AS busy FROM usual_iterations HAVING count(*) > 0) AS typical
CROSS JOIN iteration_length AS usual
CROSS JOIN (SELECT median(stop - start) AS step FROM host_step HAVING count(*) > 0) AS recorded
CROSS JOIN (SELECT TRY_CAST(value AS DOUBLE) AS step FROM setting WHERE key = 'workload.step_time') AS told
WHERE told.step > 0 AND typical.busy <= told.step AND abs(recorded.step / nullif(usual.length, 0) - 1) < 0.1

/*---
name: unprofiled_rest
title: An iteration without input and without the profiler's own calls
unit: s
definition: >-
  What is left of the mean steady iteration without the time for input data (see time.data_share) and without
  the profiler's own calls (see time.iteration_profiler): GPU operations, and idle time in which launching
  threads were sampled in anything else. 95 % Wilson interval, in which idle time without any sample counts
  in value and upper end.
needs: [cpu_trace, gpu_trace, launching, iterations]
source: traces; names of functions, and of the profiler's libraries
caveat: >-
  What else the profiler costs is not left out: lost samples, other threads, kernels that sampling keeps apart.
  The interval takes samples as independent, and those that were lost as lost anywhere.
empty: >-
  no function on the calling paths tells a phase, or for most of the time for input samples were dropped while the CPU clock
  ran, most likely by the profiler's hook in Python (time.data_dropped_share): how much of it is the profiler's is not known
---*/
SELECT rest / iterations / 1e9 AS value, rest_low / iterations / 1e9 AS low, rest_high / iterations / 1e9 AS high, n
FROM unprofiled_iterations
WHERE NOT hooked
