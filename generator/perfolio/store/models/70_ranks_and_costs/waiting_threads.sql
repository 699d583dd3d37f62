/*---
name: waiting_frame
about: >-
  Call frames of functions that wait by their own name or module (is_waiting).
---*/
SELECT frame.frame FROM frame
JOIN (
    SELECT key, name, module_path FROM (SELECT DISTINCT key, name, module_path FROM frame) WHERE is_waiting(module_path, name)
) AS waits ON waits.key = frame.key AND waits.name = frame.name AND waits.module_path IS NOT DISTINCT FROM frame.module_path

/*---
name: hidden_waits
about: >-
  Elapsed time of samples that wait in functions to which the thread's profile charges nothing (around_inlined),
  right below a frame of Python: the profile charges it to that frame, or to one of Python that it calls.
when: sampled_frame
columns:
  profile: INTEGER; CPU thread, index in table profile [id]
  caller: UINTEGER; The frame of Python [id]
  spent: DOUBLE; Time [s]
---*/
WITH waiting AS MATERIALIZED (
    SELECT sample.profile, around.code, frame.caller, sample.distance
    FROM sampled_frame AS sample
    JOIN frame AS taken ON taken.frame = sample.frame AND taken.role = 'waiting'
    JOIN around_inlined AS around ON around.frame = sample.frame
    JOIN frame ON frame.frame = around.code
    JOIN frame AS outer_one ON outer_one.frame = frame.caller AND outer_one.module_path = python_module()
),
paid AS (
    SELECT charged.profile, around.code
    FROM charged JOIN around_inlined AS around ON around.frame = charged.context
    WHERE charged.value > 0 AND around.code IN (SELECT code FROM waiting)
)
SELECT waiting.profile, waiting.caller, sum(waiting.distance) / 1e9 AS spent
FROM waiting
WHERE NOT EXISTS (FROM paid WHERE paid.profile = waiting.profile AND paid.code = waiting.code)
GROUP BY waiting.profile, waiting.caller HAVING sum(waiting.distance) > 0

/*---
name: helpers_waiting
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
    SELECT path FROM (SELECT DISTINCT module_path AS path FROM frame)
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
