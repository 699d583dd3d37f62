/*---
about: >-
  Costs (a list of frame and spent) by function: inclusive once for each function on the calling path (entry
  points are none), exclusive for the innermost Python function, or the innermost function where there is none.
given: [costs]
---*/
WITH RECURSIVE spent AS MATERIALIZED (SELECT unnest(costs, recursive := true)),
called AS MATERIALIZED (SELECT frame, caller, key, lexical_type, python FROM frame),
path AS (
    SELECT frame AS target, 0 AS step, * FROM called WHERE frame IN (SELECT frame FROM spent)
    UNION ALL
    SELECT path.target, path.step + 1, called.* FROM path JOIN called ON called.frame = path.caller
),
reached AS (
    SELECT target, key, bool_or(rank = 1) AS own, min(frame) AS frame
    FROM (
        SELECT target, key, frame, row_number() OVER (PARTITION BY target ORDER BY python DESC, step) AS rank
        FROM path WHERE lexical_type <> 'entry' OR step = 0
    )
    GROUP BY target, key
),
by_function AS (
    SELECT reached.key, min(reached.frame) AS frame, sum(spent.spent) AS inclusive,
        coalesce(sum(spent.spent) FILTER (WHERE reached.own), 0) AS exclusive
    FROM reached JOIN spent ON spent.frame = reached.target GROUP BY reached.key
)
SELECT by_function.key, frames.name, frames.lexical_type,
    source_path(coalesce(file.path, frames.called_file)) AS file,
    CASE WHEN source_path(file.path) IS NOT NULL THEN nullif(defined.line, 0) END AS line,
    by_function.inclusive, by_function.exclusive
FROM by_function
JOIN frame AS frames ON frames.frame = by_function.frame
LEFT JOIN function AS defined ON defined.id = frames.function
LEFT JOIN file ON file.id = defined.file
