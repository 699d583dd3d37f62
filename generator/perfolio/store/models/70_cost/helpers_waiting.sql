/*---
about: >-
  Elapsed time that waits (is_waiting, frame.role) on threads other than the lowest-numbered one of each rank,
  by thread and frame, with the first module on the calling path that is no part of the system's C library [s].
---*/
WITH RECURSIVE main AS (
    FROM main_threads
),
waits AS (
    SELECT frame FROM waiting_frame
    UNION
    SELECT frame FROM frame WHERE role = 'waiting'
),
outside AS (
    SELECT path
    FROM (SELECT DISTINCT module_path AS path FROM frame)
    WHERE NOT regexp_matches(parse_filename(coalesce(path, '')), '^(lib(c|pthread)[-.]|libhpcrun|libmonitor|libevent|\[|$)|vdso')
),
spent AS MATERIALIZED (
    SELECT value.profile, value.context AS frame, value.value AS cost
    FROM value
    JOIN metric ON metric.id = value.metric
    JOIN profile ON profile."index" = value.profile AND profile.kind = 'CPU thread'
    WHERE metric.measure = 'elapsed_time' AND metric.scope = 'function'
        AND value.profile NOT IN (SELECT profile FROM main) AND value.context IN (SELECT frame FROM waits)
),
walk AS (
    SELECT frame AS target, frame AS frame, 0 AS step FROM (SELECT DISTINCT frame FROM spent)
    UNION ALL
    SELECT walk.target, frame.caller, walk.step + 1 FROM walk JOIN frame ON frame.frame = walk.frame
),
called AS (
    SELECT walk.target, arg_min(frame.module_path, walk.step) AS caller
    FROM walk JOIN frame ON frame.frame = walk.frame WHERE frame.module_path IN (SELECT path FROM outside) GROUP BY walk.target
)
SELECT spent.profile, spent.frame, frame.name AS "function", called.caller, spent.cost
FROM spent JOIN frame ON frame.frame = spent.frame LEFT JOIN called ON called.target = spent.frame
