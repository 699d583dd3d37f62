/*---
about: >-
  Time of a run without GPU work in which no sample shows a CPU thread running (idle_time), the part of it that
  ends on whole periods of the timer, and the wall time. No row where less than nine tenths of it end in Python,
  or less than three quarters on whole periods [ns].
---*/
WITH idle AS MATERIALIZED (
    SELECT enclosing.frame, CAST(sum(idle.duration) AS DOUBLE) AS spent, CAST(sum(idle.clocked) AS DOUBLE) AS clocked
    FROM idle_time AS idle JOIN enclosing_frame AS enclosing ON enclosing.context = idle.context GROUP BY enclosing.frame
),
told AS (
    SELECT target AS frame, bool_or(python) AS python FROM path_frames((SELECT list(frame) FROM idle)) GROUP BY target
)
SELECT sum(idle.spent) AS spent, sum(idle.clocked) AS clocked, any_value(span.stop - span.start) AS wall
FROM idle JOIN told ON told.frame = idle.frame JOIN cpu_trace_span AS span ON span.stop > span.start
WHERE NOT EXISTS (SELECT 1 FROM gpu_span)
HAVING sum(idle.spent) FILTER (WHERE told.python) >= 0.9 * sum(idle.spent)
    AND sum(idle.clocked) >= 0.75 * sum(idle.spent)
