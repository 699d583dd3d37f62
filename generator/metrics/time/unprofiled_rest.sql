/*---
title: An iteration without input and without the profiler's own calls
unit: s
better: lower
definition: >-
  What is left of the mean steady iteration without the time for input data (see time.data_share) and without
  the profiler's own calls (see time.iteration_profiler): GPU operations, and idle time in which launching
  threads were sampled in anything else. 95 % Wilson interval, in which idle time without any sample counts
  in value and upper end.
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
SELECT (busy + blamed * coalesce(part, 0) + unknown) / iterations / 1e9 AS value,
    (busy + blamed * blame_low(part, n)) / iterations / 1e9 AS low,
    (busy + blamed * blame_high(part, n) + unknown) / iterations / 1e9 AS high, n
FROM rest
