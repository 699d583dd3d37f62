/*---
defaults:
  unit: s
  better: lower
  needs: [cpu_trace]
  source: traces
---*/

/*---
name: gpu_initialisation
title: GPU initialisation
definition: >-
  Time in which a thread initialises a GPU: up to each sample whose calling path has a
  function that does so, such as cuInit, cudaGetDeviceCount or _lazy_init, from the thread's
  sample before. The functions are in the table phase_pattern of the store; those of PyTorch count only where a module
  of a GPU's runtime or driver was sampled. Calls of cudaMalloc and hipMalloc
  count where they take more than 0.1 s in all: the first one makes the context.
population: >-
  threads that launch GPU operations, from the first trace point to the first GPU operation; all
  CPU threads and the whole run where no GPU operation was recorded. Threads at once count once, those of several
  ranks, too: it is the time in which any rank does so. The means over ranks are in time.start_up_work and
  time.main_thread
source: traces; names of functions of the CUDA, HIP and Level Zero runtimes and of PyTorch
caveat: >-
  Of a thread that is within the driver, waiting or working, no samples of CPU time are taken, so
  that the time between two samples is told by the later one. The profiler's own start-up within the driver
  counts as well.
empty: no sample of a thread that launches GPU operations
---*/
SELECT coalesce(sum(stop - start), 0) / 1e9 AS value
FROM gpu_start
HAVING (SELECT count(*) FROM gpu_span) = 0
    OR (SELECT count(*) FROM trace_line WHERE launching) > 0

/*---
name: start_up
title: Start-up
definition: >-
  Time before the first iteration, or before the first GPU operation where no iterations were
  found. What the GPU does from the begin on, launched before the recording, is none of it.
population: >-
  from the first trace point, or the first GPU operation where there is no CPU trace; of several GPUs the mean of
  when each begins its first iteration
needs: [gpu_trace]
caveat: >-
  What the first iteration does before its first GPU operation counts as start-up, but where the host was sampled in
  code that launches in iterations and not before.
---*/
SELECT coalesce(sum(duration) FILTER (WHERE phase = 'start-up'), 0) / 1e9 AS value FROM run_phases

/*---
name: start_up_share
title: Start-up, share of wall time
unit: ratio
definition: >-
  Share of the wall time before the first iteration, or before the first GPU operation where no
  iterations were found. What the GPU does from the begin on, launched before the recording, is none of it.
population: >-
  from the first trace point; of several GPUs to the mean of when each begins its first iteration
needs: [cpu_trace, gpu_trace]
caveat: >-
  What the first iteration does before its first GPU operation counts as start-up, but where the host was sampled in
  code that launches in iterations and not before.
---*/
SELECT coalesce(sum(duration) FILTER (WHERE phase = 'start-up'), 0)
    / nullif((SELECT stop - start FROM cpu_trace_span), 0) AS value
FROM run_phases

/*---
name: tail
title: Tail
definition: >-
  Time after the end of the last iteration, or after the last GPU operation where no iterations
  were found.
population: >-
  to the last trace point, or the end of the last GPU operation where there is no CPU trace
needs: [gpu_trace]
---*/
SELECT coalesce(sum(duration) FILTER (WHERE phase = 'tail'), 0) / 1e9 AS value FROM run_phases

/*---
name: unused_initialisation_share
title: GPU initialisation of a run without GPU work, share of wall time
unit: ratio
definition: >-
  Share of the wall time in which a thread initialises the GPU (time.gpu_initialisation), of a
  run that does no work on a GPU as far as it was measured. A run does where a GPU operation was
  recorded, or a sample was taken in a function of CUDA or HIP that launches a kernel or a graph,
  copies, sets memory or waits for the device.
population: >-
  all CPU threads and the whole run; threads at once count once
source: traces; names of functions of the CUDA, HIP and Level Zero runtimes and of PyTorch
caveat: >-
  Calls that are short may have no sample: few operations on a GPU would not be seen without
  recording them.
empty: the run works on a GPU
---*/
WITH worked AS (
    SELECT EXISTS (SELECT 1 FROM gpu_context)
        OR EXISTS (SELECT 1 FROM gpu_span)
        OR EXISTS (
            SELECT 1 FROM "function"
            WHERE regexp_matches(name, '^(cu|cuda|hip)(Module|Graph|Ext)?(Launch|Memcpy|Memset|StreamSync|StreamWait|EventSync|DeviceSync|CtxSync)')
        ) AS on_gpu
)
SELECT coalesce((SELECT sum(stop - start) FROM gpu_start), 0) / nullif(span.stop - span.start, 0) AS value
FROM cpu_trace_span AS span CROSS JOIN worked
WHERE NOT worked.on_gpu

/*---
name: wall
title: Wall time
definition: >-
  From the first moment of any CPU thread or GPU stream to the last one: of what was recorded of them, and of a process
  with such records also when its threads got or lost a core, were sampled or called the operating system, where that is told.
population: >-
  all trace lines of all profiles
caveat: >-
  The time before the first and after the last of these moments is not in it, nor are single events far from all others.
---*/
SELECT (stop - start) / 1e9 AS value FROM cpu_trace_span

/*---
name: warm_up_excess
title: Idle time of the warm-up beyond that of typical iterations
definition: >-
  Idle time of the GPU in iterations of the warm-up, less what as many typical iterations have. Left out are
  the profiler's own calls and, where PC sampling was on, gaps of up to 5 ms: see time.idle_parts.
population: >-
  iterations of the warm-up; of several GPUs the mean
needs: [gpu_trace, iterations]
empty: no iteration is warm-up, or none is typical
---*/
SELECT greatest(host.warm - counted.warm * host.steady / counted.typical, 0) / 1e9 AS value
FROM (
    SELECT coalesce(sum(idle - profiler) FILTER (WHERE period = 'warm-up'), 0) AS warm,
        coalesce(sum(idle - profiler) FILTER (WHERE period = 'steady'), 0) AS steady
    FROM idle_parts WHERE gap <> 'short'
) AS host
CROSS JOIN (
    SELECT count(*) FILTER (WHERE mark = 'warm-up') AS warm, count(*) FILTER (WHERE mark = '') AS typical FROM iteration
) AS counted
WHERE counted.warm > 0 AND counted.typical > 0

/*---
name: warm_up_iterations
title: Warm-up iterations
unit: count
definition: >-
  Leading iterations that are longer than the median by more than three robust standard
  deviations (1.4826 times the median absolute deviation) and by more than 5 %.
population: >-
  all iterations but the last
needs: [gpu_trace, iterations]
---*/
SELECT count(*) AS value FROM iteration WHERE mark = 'warm-up'
