/*---
title: Time in the profiler's libraries, share of wall time
unit: ratio
better: lower
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
