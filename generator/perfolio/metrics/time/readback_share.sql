/*---
title: Idle time after copies to the host, share of the short gaps
unit: ratio
better: lower
definition: >-
  Of the idle time of the GPU between the operations of steady iterations, the share of the gaps
  that follow a copy to the host that runs in at least every second iteration. The longest gap of
  each iteration is left out where it is a wait of its own: more than 5 ms and a fifth of the iteration, by
  the medians.
population: complete iterations that are no warm-up
needs: [gpu_trace, iterations]
source: traces
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
