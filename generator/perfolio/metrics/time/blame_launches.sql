/*---
title: GPU operations that the blamed function launches
unit: ratio
better: lower
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
