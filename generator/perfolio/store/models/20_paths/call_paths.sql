/*---
about: >-
  Readable call path of each given frame, outermost first: the last five frames, or the last three Python frames
  and the last two of native code, always with the last caller in native code that has a name and is not
  OpenMP's.
given: [targets]
---*/
WITH RECURSIVE path AS (
    SELECT target, target AS frame, 0 AS step FROM (SELECT unnest(targets) AS target)
    UNION ALL
    SELECT path.target, frame.caller, path.step + 1 FROM path JOIN frame ON frame.frame = path.frame
),
walk AS (
    SELECT path.target, path.step, short_name(frame.name) AS name, frame.python,
        frame.name NOT LIKE '0x%' AND frame.name NOT LIKE '<%' AND frame.lexical_type NOT IN ('instruction', 'entry')
            AND NOT regexp_matches(coalesce(frame.module_path, ''), '/lib(i|g)?omp[-.\w]*$') AS named
    FROM path JOIN frame ON frame.frame = path.frame
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
FROM kept GROUP BY target
