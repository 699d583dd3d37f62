/*---
title: The profiler's own calls, per iteration
unit: s
better: lower
definition: >-
  The mean time per steady iteration in which the GPU is idle and launching threads were sampled in the
  libraries by which HPCToolkit measures it: the phase profiler. Idle time is shared out by the samples taken
  in it: 95 % Wilson interval.
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
)
SELECT coalesce(profiler, 0) / iterations / 1e9 AS value,
    blamed * blame_low(coalesce(profiler, 0) / nullif(blamed, 0), n) / iterations / 1e9 AS low,
    blamed * blame_high(coalesce(profiler, 0) / nullif(blamed, 0), n) / iterations / 1e9 AS high, n
FROM whole
