/*---
about: >-
  Readable call path of each given frame, outermost first: the last five frames, or the last three Python frames
  and the last two of native code, always with the last caller in native code that has a name and is not
  OpenMP's.
given: [targets]
---*/
WITH RECURSIVE frame AS MATERIALIZED (
    SELECT frames.frame, frames.caller, short_name(frames.name) AS name,
        frames.python,
        frames.name NOT LIKE '0x%' AND frames.name NOT LIKE '<%' AND frames.lexical_type NOT IN ('instruction', 'entry')
            AND NOT regexp_matches(coalesce(frames.module_path, ''), '/lib(i|g)?omp[-.\w]*$') AS named
    FROM frame AS frames
),
walk AS (
    SELECT frame.frame AS target, frame.caller, 0 AS step, frame.name, frame.python, frame.named
    FROM (SELECT unnest(targets) AS target) AS wanted JOIN frame ON frame.frame = wanted.target
    UNION ALL
    SELECT walk.target, frame.caller, walk.step + 1, frame.name, frame.python, frame.named
    FROM walk JOIN frame ON frame.frame = walk.caller
),
ranked AS (
    SELECT *,
        row_number() OVER (PARTITION BY target ORDER BY python DESC, step) AS python_rank,
        step = min(step) FILTER (WHERE named AND NOT python AND step > 0) OVER (PARTITION BY target) AS nearest_named,
        bool_or(python) OVER (PARTITION BY target) AS has_python
    FROM walk
),
kept AS (
    SELECT *, lead(step) OVER (PARTITION BY target ORDER BY step) AS next_step
    FROM ranked
    WHERE step < CASE WHEN has_python THEN 2 ELSE 5 END
        OR nearest_named OR (python AND python_rank <= 3)
)
SELECT target AS frame,
    string_agg(CASE WHEN next_step > step + 1 THEN '… > ' ELSE '' END || name, ' > ' ORDER BY step DESC) AS path
FROM kept
GROUP BY target
