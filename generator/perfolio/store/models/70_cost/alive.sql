/*---
about: >-
  How many CPU threads of the run, and of each host (node; NULL for the run), were alive at once, each from its first
  trace point to its last one, how many of them work (thread_work), and for how long [ns]. One whose points are all at one
  moment was alive at that moment, for no time.
---*/
WITH event AS (
    SELECT node, start AS moment, 1 AS threads, CAST(works AS INTEGER) AS working, 0 AS instants, 0 AS working_instants
    FROM thread_work WHERE stop > start
    UNION ALL
    SELECT node, stop, -1, -CAST(works AS INTEGER), 0, 0 FROM thread_work WHERE stop > start
    UNION ALL
    SELECT node, start, 0, 0, 1, CAST(works AS INTEGER) FROM thread_work WHERE stop = start
),
summed AS (
    SELECT grouping(node) = 1 AS everywhere, node, moment, sum(threads) AS threads, sum(working) AS working,
        sum(instants) AS instants, sum(working_instants) AS working_instants
    FROM event GROUP BY GROUPING SETS ((node, moment), (moment))
),
level AS (
    SELECT everywhere, node, sum(threads) OVER line AS threads, sum(working) OVER line AS working, instants, working_instants,
        coalesce(lead(moment) OVER line - moment, 0) AS ns
    FROM summed WINDOW line AS (PARTITION BY everywhere, node ORDER BY moment)
)
SELECT everywhere, node, CAST(threads AS INTEGER) AS threads, CAST(working AS INTEGER) AS working, sum(ns) AS ns
FROM (
    SELECT everywhere, node, threads, working, ns FROM level WHERE ns > 0
    UNION ALL
    SELECT everywhere, node, threads + instants, working + working_instants, 0 FROM level WHERE instants > 0
)
GROUP BY ALL
