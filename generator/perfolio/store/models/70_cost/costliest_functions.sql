/*---
about: >-
  Functions with the highest exclusive CPU cost: 10 of those that wait, 10 of those that work (frame.role)
  and 50 of all: of is waiting, working (by work_cost) or all. Shares are of all cost. waits is how much of
  it waits at most, of Python (cpu_cost); ahead is the least by which it leads all others then, NULL where
  Python has no waits. called_file and called_line say which line calls it (source_place), unless that is in
  the file that defines it: of its 20 costliest calling contexts, the line with half of its cost or more, if
  there is one.
---*/
WITH spent AS MATERIALIZED (
    SELECT kind.of, kind.number, cost.key, cost.frame, cost.role, cost.waits,
        cost.exclusive - if(kind.of = 'working' AND cost.role = 'working', least(cost.beyond, cost.exclusive), 0) AS exclusive
    FROM cpu_frames AS cost CROSS JOIN (VALUES ('all', 50), ('working', 10), ('waiting', 10)) AS kind(of, number)
),
top AS MATERIALIZED (
    SELECT of, key, min(frame) AS example, sum(exclusive) AS exclusive, sum(waits) AS waits
    FROM spent
    WHERE of IN ('all', role)
    GROUP BY of, key HAVING sum(exclusive) > 0
    QUALIFY row_number() OVER (PARTITION BY of ORDER BY sum(exclusive) DESC, key) <= any_value(number)
),
reached AS (
    SELECT cost.key, sum(cost.inclusive) AS inclusive
    FROM cpu_frames AS cost
    JOIN outermost_frames((SELECT list(DISTINCT key) FROM top)) AS outermost ON outermost.frame = cost.frame
    GROUP BY cost.key
),
place AS (
    FROM calling_lines((
        SELECT list({
            'key': {'of': top.of, 'key': top.key}, 'frame': spent.frame, 'cost': spent.exclusive, 'whole': top.exclusive
        })
        FROM spent JOIN top ON top.of = spent.of AND top.key = spent.key
    ))
)
SELECT top.of, top.key, code.name AS "function", code.module_path AS module,
    own.file, CASE WHEN own.file IS NOT NULL THEN nullif(defined.line, 0) END AS line,
    CASE WHEN place.file IS DISTINCT FROM own.file THEN place.file END AS called_file,
    CASE WHEN place.file IS DISTINCT FROM own.file THEN place.line END AS called_line,
    top.exclusive, reached.inclusive, nullif(top.waits, 0) AS waits,
    CASE WHEN sum(top.waits) OVER (PARTITION BY top.of) > 0 THEN
        top.exclusive - top.waits - coalesce(max(top.exclusive) OVER others, 0)
    END AS ahead,
    top.exclusive / total_of(cpu_event_of()) AS exclusive_share,
    reached.inclusive / total_of(cpu_event_of()) AS inclusive_share
FROM top
JOIN reached ON reached.key = top.key
JOIN frame AS code ON code.frame = top.example
LEFT JOIN "function" AS defined ON defined.id = code."function"
LEFT JOIN file ON file.id = defined.file
CROSS JOIN LATERAL (SELECT source_path(coalesce(file.path, code.called_file)) AS file) AS own
LEFT JOIN place ON place.key.of = top.of AND place.key.key = top.key
WINDOW others AS (
    PARTITION BY top.of ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE CURRENT ROW
)
