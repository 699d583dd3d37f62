/*---
about: >-
  The rows of table main_stretch of a run, with the program's own function that each belongs to (frame.owner),
  NULL where it waits for the backward pass. Calls that wait for a GPU (frame.role) are a part gpu wait, in
  whatever phase they are, if they take ten usual distances between samples in all; so are those in
  profiler_contexts a part profiler, before that, but for what starts a GPU; in waits for the backward pass
  these are the other thread's.
---*/
SELECT frame, spent, begins, ends, running, "after", after_square, after_lost, before, before_square, before_lost, dropped, owner,
    CASE WHEN waits AND sum(spent) FILTER (WHERE waits) OVER () >= 10 * distance THEN 'gpu wait' ELSE part END AS part, distance, threads
FROM (
    SELECT * REPLACE (CASE WHEN profiled THEN 'profiler' ELSE part END AS part), may_wait AND NOT profiled AS waits
    FROM (
        SELECT *, profiler AND sum(spent) FILTER (WHERE profiler) OVER () >= 10 * distance AS profiled
        FROM (
            SELECT stretch.* EXCLUDE (profiled), CASE WHEN stretch.part <> 'waiting' THEN frame.owner END AS owner,
                stretch.part NOT IN ('waiting', 'initialisation') AND coalesce(frame.role = 'gpu wait', false) AS may_wait,
                stretch.part <> 'initialisation' AND stretch.profiled AS profiler
            FROM main_stretch AS stretch JOIN frame ON frame.frame = stretch.frame
        )
    )
)
