/*---
title: Share of an iteration spent on input data
unit: ratio
better: lower
definition: >-
  Share of the time of steady iterations in the phase data: the GPU is idle while launching
  threads load, make or collate input, or it runs operations launched by these. The idle time is
  shared out as in time.iteration_phases: 95 % Wilson interval of what samples tell, in whose upper end
  idle time without any sample counts as input, too. Where operations tell nearly all idle time, there
  is no interval.
population: >-
  complete iterations that are no warm-up
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
