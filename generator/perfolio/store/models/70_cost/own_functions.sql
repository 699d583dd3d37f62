/*---
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
