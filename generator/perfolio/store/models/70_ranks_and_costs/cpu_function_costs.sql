/*---
name: cpu_cost
about: >-
  CPU cost of call frames, in the event by which it is ranked in a run (cpu_event).
when: summary
columns:
  frame: UINTEGER; Call frame [id]
  exclusive: DOUBLE; Spent in the frame itself
  inclusive: DOUBLE; Spent in the frame and in all that it called
  late: DOUBLE; What came late, of all threads, for a lower bound of the sum (late_cost)
  beyond: "DOUBLE; What came late, of all threads, as the samples tell it: no work (late_cost)"
  waits: >-
    DOUBLE; How much of what is spent in a frame of Python is waiting, at most: as much as samples wait unseen
    by the profile below the frame or its caller (hidden_waits)
---*/
-- Where the trace has a sample in code that a function of Python calls, right below that function's caller or
-- the function itself, the profile may charge it to the function.
WITH hidden AS (
    SELECT caller, fsum(spent) AS spent FROM hidden_waits GROUP BY caller
),
late AS (
    SELECT frame, fsum(late) AS late, fsum(beyond) AS beyond FROM late_cost GROUP BY frame
)
SELECT spent.frame, spent.exclusive, spent.inclusive, coalesce(late.late, 0) AS late, coalesce(late.beyond, 0) AS beyond,
    CASE WHEN frame.role = 'working' AND frame.module_path = python_module() THEN
        least(spent.exclusive - least(coalesce(late.beyond, 0), spent.exclusive), coalesce(below.spent, 0) + coalesce(beside.spent, 0))
        ELSE 0 END AS waits
FROM frame_cost AS spent
JOIN frame ON frame.frame = spent.frame
LEFT JOIN hidden AS below ON below.caller = spent.frame
LEFT JOIN hidden AS beside ON beside.caller = frame.caller
LEFT JOIN late ON late.frame = spent.frame
WHERE spent.name = cpu_event_of()

/*---
name: cpu_frames
about: >-
  Call frames that have a CPU cost (cpu_cost).
---*/
SELECT frame.*, cost.exclusive, cost.inclusive, cost.late, cost.beyond, cost.waits
FROM cpu_cost AS cost JOIN frame ON frame.frame = cost.frame

/*---
name: work_cost
about: >-
  CPU cost of frames that work (frame.role), how much of it came late, for a lower bound of the sum, and how
  much is work: elapsed time that came late, as the samples tell it, is none (late_cost). Of work of Python,
  waits may be waiting, at most.
---*/
SELECT frame, key, owner, callee, exclusive AS spent, least(late, exclusive) AS late, exclusive - least(beyond, exclusive) AS work, waits
FROM cpu_frames WHERE role = 'working' AND exclusive > 0

/*---
name: work_of
about: >-
  CPU cost of a run without waiting and without the runtime of a GPU; with what came late (late_cost).
value: true
---*/
SELECT sum(exclusive) FROM cpu_frames WHERE role = 'working'

/*---
name: role_share
about: >-
  CPU cost of what waits and of what waits for a GPU (frame.role) as a share of all, with its 95 % interval;
  n is samples (cost_samples), NULL where these are not known.
---*/
SELECT role, value, binomial_low(value * n, n) AS low, binomial_high(value * n, n) AS high, n
FROM (
    SELECT asked.role, coalesce(sum(exclusive) FILTER (WHERE cost.role = asked.role), 0) / sum(exclusive) AS value,
        cost_samples() AS n
    FROM cpu_frames AS cost CROSS JOIN (VALUES ('waiting'), ('gpu wait')) AS asked(role)
    GROUP BY asked.role HAVING sum(exclusive) > 0
)

/*---
name: costliest_functions
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

/*---
name: own_functions
about: >-
  Work of each function of the program itself (is_own): of its own code and of code of libraries that it calls,
  up to the next function of the program; its share of all work (work_cost), the share with what came late, how
  much of its work is waits at most, where any is, and the library's function that it calls with the largest
  part. Its share is no less than least_share and no more than most_share, whatever of the work of Python waits
  and of what came late works; ahead is the least by which it leads all others then (below 0: not certain), NULL
  where Python has no waits.
---*/
WITH spent AS MATERIALIZED (
    SELECT *, sum(work) OVER () AS all_work, sum(spent) OVER () AS all_spent, sum(waits) OVER () AS all_waits FROM work_cost
),
part AS (
    SELECT owner, callee, sum(work) AS work, coalesce(sum(work) FILTER (WHERE key = owner), 0) AS own,
        sum(work) / any_value(all_work) AS share, sum(spent) / any_value(all_spent) AS share_with_late,
        sum(waits) AS waits, any_value(all_work) AS all_work, any_value(all_spent) AS all_spent, any_value(all_waits) AS all_waits
    FROM spent WHERE owner IS NOT NULL GROUP BY owner, callee
),
ranked AS (
    SELECT owner, sum(work) AS work, sum(own) AS own, sum(share) AS share, sum(share_with_late) AS share_with_late,
        sum(waits) AS waits, any_value(all_work) AS all_work, any_value(all_spent) AS all_spent, any_value(all_waits) - sum(waits) AS others,
        arg_max(callee, work) FILTER (WHERE callee IS NOT NULL AND work > 0) AS callee
    FROM part GROUP BY owner HAVING sum(work) > 0
),
bounded AS (
    SELECT *,
        least(
            coalesce((share - waits / all_work) / nullif(1 - waits / all_work, 0), 0),
            coalesce((share_with_late - waits / all_spent) / nullif(1 - waits / all_spent, 0), 0)
        ) AS least_share,
        least(greatest(share / (1 - others / all_work), share_with_late / (1 - others / all_spent)), 1) AS most_share
    FROM ranked
),
example AS (
    SELECT key, arg_min(frames, frame) AS frame FROM frame AS frames WHERE key IN (SELECT owner FROM ranked) GROUP BY key
)
SELECT ranked.owner AS key, example.frame.name AS "function", example.frame.module_path AS module,
    source_path(coalesce(file.path, example.frame.called_file)) AS file, nullif(defined.line, 0) AS line,
    ranked.work, ranked.own, ranked.share, ranked.share_with_late, nullif(ranked.waits, 0) AS waits, ranked.least_share, ranked.most_share,
    CASE WHEN ranked.waits > 0 OR ranked.others > 0 THEN
        ranked.least_share - coalesce(max(ranked.most_share) OVER (
            ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE CURRENT ROW
        ), 0)
    END AS ahead,
    short_name(ranked.callee) AS callee
FROM bounded AS ranked
JOIN example ON example.key = ranked.owner
LEFT JOIN "function" AS defined ON defined.id = example.frame."function"
LEFT JOIN file ON file.id = defined.file
