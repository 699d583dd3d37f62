/*---
title: Share of an iteration spent on input data, without the profiler's own calls
unit: ratio
better: lower
definition: >-
  What input data (see time.data_share) take of steady iterations where the profiler's own calls (see
  time.iteration_profiler) are no part of these: an estimate of a run that is not profiled. All but what else
  is left (time.unprofiled_rest), with its interval.
population: >-
  complete iterations that are no warm-up
needs: [cpu_trace, gpu_trace, launching, iterations]
source: HPCToolkit's traces; names of functions, and of the profiler's libraries
caveat: >-
  What else the profiler costs is not left out: lost samples, other threads, kernels that sampling keeps apart.
  The interval takes samples as independent, and those that were lost as lost anywhere.
empty: no function on the calling paths tells a phase
---*/
WITH whole AS (
    SELECT sum(gpu_idle) FILTER (WHERE phase = 'profiler') AS profiler,
        sum(gpu_idle - told) FILTER (WHERE phase = 'data') AS input,
        coalesce(sum(gpu_busy + told) FILTER (WHERE phase <> 'data'), 0) AS busy,
        coalesce(sum(gpu_idle - told) FILTER (WHERE phase <> 'not told'), 0) AS blamed,
        sum(gpu_idle) FILTER (WHERE phase = 'not told') AS unknown,
        any_value(length) AS length, any_value(iterations) AS iterations, any_value(n) AS n
    FROM iteration_parts($run)
    HAVING count(*) > 0
),
rest AS (
    SELECT *, length - coalesce(profiler, 0) AS own, greatest(blamed - coalesce(profiler, 0) - coalesce(input, 0), 0) / nullif(blamed, 0) AS part FROM whole
)
SELECT 1 - (busy + blamed * coalesce(part, 0) + unknown) / own AS value,
    greatest(1 - (busy + blamed * blame_high(part, n) + unknown) / own, 0) AS low,
    1 - (busy + blamed * blame_low(part, n)) / own AS high, n
FROM rest
