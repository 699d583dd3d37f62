/*---
about: >-
  Where to look for the idle time of the GPU, on one path from the entry points inwards (blame_paths): the innermost
  function with plainly more than half of the idle time (55 %); where none has as much, of the functions with which paths
  begin the largest one, and in it the innermost one with 55 % of its time and no less than the next of these has. It is one
  to name (named), and of samples, where native code is innermost, the innermost function of Python around that with at
  most a third more time. The second row is the innermost function within it with at least half of its time.
  low and high are the ends of the 95 % interval of its time; idle time without any sample may be its, too, so high has it [ns].
---*/
WITH reached AS MATERIALIZED (
    SELECT target, key, min(step) AS step, min(frame) AS frame, bool_and(named) AS named, any_value(spent) AS spent
    FROM blame_paths GROUP BY target, key
),
holds AS (
    SELECT max(spent) >= 0.55 * recurring_idle() AS most FROM (SELECT sum(spent) AS spent FROM reached GROUP BY key)
),
-- The functions at the beginning of paths are siblings: the largest one, and the next.
beginning AS MATERIALIZED (
    SELECT arg_max(key, step) AS key, target FROM reached WHERE named GROUP BY target
),
largest AS MATERIALIZED (
    SELECT beginning.key, sum(reached.spent) AS spent, lead(sum(reached.spent), 1, 0) OVER (ORDER BY sum(reached.spent) DESC, beginning.key) AS next
    FROM beginning JOIN reached ON reached.key = beginning.key AND reached.target = beginning.target
    GROUP BY beginning.key ORDER BY sum(reached.spent) DESC, beginning.key LIMIT 1
),
candidate AS MATERIALIZED (
    SELECT reached.key, min(reached.frame) AS frame, sum(reached.spent) AS inclusive, avg(reached.step) AS step
    FROM reached
    JOIN beginning ON beginning.target = reached.target
    CROSS JOIN largest CROSS JOIN holds
    WHERE holds.most OR beginning.key = largest.key
    GROUP BY reached.key, largest.spent, largest.next, holds.most
    HAVING bool_and(reached.named) AND sum(reached.spent) >= CASE WHEN holds.most THEN 0.55 * recurring_idle()
        ELSE greatest(0.55 * largest.spent, largest.next) END
),
chosen AS MATERIALIZED (
    SELECT candidate.key, candidate.frame, candidate.inclusive
    FROM candidate JOIN frame AS frames ON frames.frame = candidate.frame
    WHERE candidate.inclusive * 0.75 <= (SELECT min(inclusive) FROM candidate)
    ORDER BY frames.python OR EXISTS (FROM host_stay) DESC,
        candidate.inclusive, candidate.step, candidate.key
    LIMIT 1
),
within AS (
    SELECT inner_one.key, min(inner_one.frame) AS frame, sum(inner_one.spent) AS inclusive
    FROM reached AS outer_one
    JOIN chosen ON chosen.key = outer_one.key
    JOIN reached AS inner_one ON inner_one.target = outer_one.target AND inner_one.step < outer_one.step AND inner_one.named
    GROUP BY inner_one.key HAVING sum(inner_one.spent) >= 0.5 * any_value(chosen.inclusive)
    ORDER BY inclusive, avg(inner_one.step), inner_one.key LIMIT 1
),
focus AS (
    SELECT 1 AS position, key, frame, inclusive FROM chosen
    UNION ALL
    SELECT 2, key, frame, inclusive FROM within
)
SELECT focus.position, focus.key, frames.name, source_path(coalesce(file.path, frames.called_file)) AS file,
    CASE WHEN source_path(file.path) IS NOT NULL THEN nullif(defined.line, 0) END AS line, focus.inclusive,
    total.gaps, total.n,
    total.duration * blame_low(focus.inclusive / total.duration, total.n) AS low,
    total.duration * blame_high(focus.inclusive / total.duration, total.n)
        + greatest(total.gaps - total.duration, 0) AS high
FROM focus
CROSS JOIN blame_total AS total
JOIN frame AS frames ON frames.frame = focus.frame
LEFT JOIN function AS defined ON defined.id = frames.function
LEFT JOIN file ON file.id = defined.file
