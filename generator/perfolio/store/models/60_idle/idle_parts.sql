/*---
about: >-
  All idle time of the GPU, each moment once, by period and gap as in idle_gaps, and what launching threads did
  meanwhile by their samples: the profiler's own calls (profiler_contexts), besides these the function of
  blame_focus (focus), and anything else (elsewhere); of several GPUs the mean [ns].
---*/
WITH blamed AS MATERIALIZED (
    SELECT blame.period, blame.gap, enclosing.frame, sum(blame.duration) AS spent,
        blame.context IN (SELECT context FROM profiler_contexts) AS own
    FROM blame JOIN enclosing_frame AS enclosing ON enclosing.context = blame.context WHERE blame.period <> 'before' GROUP BY ALL
),
below AS (
    SELECT DISTINCT path.target
    FROM path_frames((SELECT list(DISTINCT frame) FROM blamed)) AS path
    JOIN blame_focus AS focus ON focus.position = 1 AND focus.name = path.name
),
told AS (
    SELECT period, gap, coalesce(sum(spent) FILTER (WHERE own), 0) AS profiler,
        coalesce(sum(spent) FILTER (WHERE NOT own AND frame IN (SELECT target FROM below)), 0) AS focus,
        coalesce(sum(spent) FILTER (WHERE NOT own AND frame NOT IN (SELECT target FROM below)), 0) AS elsewhere
    FROM blamed GROUP BY period, gap
)
SELECT idle.period, idle.gap, idle.first, idle.idle,
    least(coalesce(told.profiler, 0), idle.idle) AS profiler,
    least(coalesce(told.focus, 0), idle.idle) AS focus,
    least(coalesce(told.elsewhere, 0), idle.idle) AS elsewhere
FROM (SELECT period, gap, min(first) AS first, sum(duration) / gpus() AS idle FROM idle_total GROUP BY period, gap) AS idle
LEFT JOIN told ON told.period = idle.period AND told.gap = idle.gap
