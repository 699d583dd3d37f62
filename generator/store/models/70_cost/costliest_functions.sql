/*---
about: >-
  Functions with the highest exclusive CPU cost (120 at most), of those that wait, that work (frame_roles) or of
  all: of is waiting, working (by work_cost) or all. Shares are of all cost. waits is how much of it waits at
  most, of Python (cpu_cost); ahead is the least by which it leads all others then, NULL where Python has no
  waits. called_file and called_line say which line calls it (source_places), unless that is in the file that
  defines it: of its 20 costliest calling contexts, the line with half of its cost or more, if there is one.
given: [of, number]
---*/
WITH spent AS MATERIALIZED (
    SELECT * REPLACE (exclusive - CASE WHEN of = 'working' AND role = 'working' THEN least(beyond, exclusive) ELSE 0 END AS exclusive)
    FROM cpu_frames
),
ranked AS (
    SELECT key, min(frame) AS example, sum(exclusive) AS exclusive, sum(waits) AS waits, row_number() OVER (ORDER BY sum(exclusive) DESC, key) AS rank
    FROM spent
    WHERE of IN ('all', role)
    GROUP BY key
    HAVING sum(exclusive) > 0
),
top AS (
    SELECT * FROM ranked WHERE rank <= number
),
reached AS (
    SELECT spent.key, sum(spent.inclusive) AS inclusive
    FROM spent
    JOIN outermost_frames((SELECT list(key) FROM top)) AS outermost ON outermost.frame = spent.frame
    GROUP BY spent.key
),
place AS (
    FROM calling_lines((
        SELECT list({'key': spent.key, 'frame': spent.frame, 'cost': spent.exclusive, 'whole': top.exclusive})
        FROM spent JOIN top ON top.key = spent.key
    ))
)
SELECT top.key, spent.name AS "function", spent.module_path AS module,
    own.file, CASE WHEN own.file IS NOT NULL THEN nullif(defined.line, 0) END AS line,
    CASE WHEN place.file IS DISTINCT FROM own.file THEN place.file END AS called_file,
    CASE WHEN place.file IS DISTINCT FROM own.file THEN place.line END AS called_line,
    top.exclusive, reached.inclusive, nullif(top.waits, 0) AS waits,
    CASE WHEN sum(top.waits) OVER () > 0 THEN top.exclusive - top.waits - coalesce(max(top.exclusive)
        OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE CURRENT ROW), 0) END AS ahead,
    top.exclusive / total_of(cpu_event_of()) AS exclusive_share,
    reached.inclusive / total_of(cpu_event_of()) AS inclusive_share
FROM top
JOIN reached ON reached.key = top.key
JOIN spent ON spent.frame = top.example
LEFT JOIN "function" AS defined ON defined.id = spent."function"
LEFT JOIN file ON file.id = defined.file
CROSS JOIN LATERAL (SELECT source_path(coalesce(file.path, spent.called_file)) AS file) AS own
LEFT JOIN place ON place.key = top.key
