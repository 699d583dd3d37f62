/*---
about: >-
  Where to look for the idle time of the GPU (recurring_blame): the innermost function with plainly more
  than half of it, 55 % at least (else with half of what the largest has), and the innermost function below that
  one with at least half of its time. Python functions before others. low and high are the ends of the 95 %
  interval of its time; idle time without any sample may be its, too, so high has it [ns].
---*/
WITH spent AS MATERIALIZED (
    SELECT enclosing.frame, sum(blame.duration) AS spent
    FROM recurring_blame AS blame JOIN enclosing_frame AS enclosing ON enclosing.context = blame.context GROUP BY enclosing.frame
),
reached AS MATERIALIZED (
    SELECT path.target, path.key, path.python, min(path.step) AS step, min(path.frame) AS frame, any_value(spent.spent) AS spent
    FROM path_frames((SELECT list(frame) FROM spent)) AS path JOIN spent ON spent.frame = path.target
    WHERE path.lexical_type <> 'entry'
    GROUP BY path.target, path.key, path.python
),
by_function AS (
    SELECT key, python, min(frame) AS frame, sum(spent) AS inclusive, avg(step) AS step FROM reached GROUP BY key, python
),
outermost AS MATERIALIZED (
    SELECT key, frame, inclusive
    FROM by_function
    WHERE inclusive >= 0.5 * (SELECT max(inclusive) FROM by_function)
    ORDER BY inclusive >= 0.55 * recurring_idle() DESC, python DESC, inclusive, step, key LIMIT 1
),
within AS (
    SELECT inner_one.key, min(inner_one.frame) AS frame, sum(inner_one.spent) AS inclusive
    FROM reached AS outer_one
    JOIN outermost ON outermost.key = outer_one.key
    JOIN reached AS inner_one
        ON inner_one.target = outer_one.target AND inner_one.step < outer_one.step AND inner_one.key <> outer_one.key
    GROUP BY inner_one.key, inner_one.python HAVING sum(inner_one.spent) >= 0.5 * any_value(outermost.inclusive)
    ORDER BY inner_one.python DESC, sum(inner_one.spent), avg(inner_one.step), inner_one.key LIMIT 1
),
chosen AS (
    SELECT 1 AS position, key, frame, inclusive FROM outermost
    UNION ALL
    SELECT 2, key, frame, inclusive FROM within
)
SELECT chosen.position, frames.name, source_path(coalesce(file.path, frames.called_file)) AS file,
    CASE WHEN source_path(file.path) IS NOT NULL THEN nullif(defined.line, 0) END AS line, chosen.inclusive,
    total.gaps, total.n,
    total.duration * blame_low(chosen.inclusive / total.duration, total.n) AS low,
    total.duration * blame_high(chosen.inclusive / total.duration, total.n)
        + greatest(total.gaps - total.duration, 0) AS high
FROM chosen
CROSS JOIN blame_total AS total
JOIN frame AS frames ON frames.frame = chosen.frame
LEFT JOIN function AS defined ON defined.id = frames.function
LEFT JOIN file ON file.id = defined.file
