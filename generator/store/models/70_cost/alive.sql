/*---
about: >-
  How many CPU threads of the run, and of each host (node; NULL for the run), were alive at once, each from its first
  trace point to its last one, how many of them work (thread_work), and for how long [ns].
---*/
WITH event AS (
    SELECT node, start AS moment, 1 AS threads, CAST(works AS INTEGER) AS working FROM thread_work WHERE start IS NOT NULL
    UNION ALL
    SELECT node, stop, -1, -CAST(works AS INTEGER) FROM thread_work WHERE start IS NOT NULL
),
summed AS (
    SELECT grouping(node) = 1 AS everywhere, node, moment, sum(threads) AS threads, sum(working) AS working
    FROM event GROUP BY GROUPING SETS ((node, moment), (moment))
)
SELECT everywhere, node, CAST(threads AS INTEGER) AS threads, CAST(working AS INTEGER) AS working, sum(ns) AS ns
FROM (
    SELECT everywhere, node, sum(threads) OVER line AS threads, sum(working) OVER line AS working, lead(moment) OVER line - moment AS ns
    FROM summed WINDOW line AS (PARTITION BY everywhere, node ORDER BY moment)
) WHERE ns > 0 GROUP BY ALL
