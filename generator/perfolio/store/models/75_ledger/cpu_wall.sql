/*---
about: >-
  Elapsed time of a run by how many CPU threads are alive at once, and work, wait or are late (cpu_stretch): all of it
  from the first trace point of a thread to the last one, each moment once [ns].
---*/
WITH event AS (
    SELECT start AS moment, 0 AS alive, CAST(state = 'works' AS INTEGER) AS works, CAST(state = 'waits' AS INTEGER) AS waits,
        CAST(state = 'late' AS INTEGER) AS late
    FROM cpu_stretch
    UNION ALL
    SELECT stop, 0, -CAST(state = 'works' AS INTEGER), -CAST(state = 'waits' AS INTEGER), -CAST(state = 'late' AS INTEGER) FROM cpu_stretch
    UNION ALL
    SELECT start, 1, 0, 0, 0 FROM trace_line WHERE kind = 'CPU thread'
    UNION ALL
    SELECT stop, -1, 0, 0, 0 FROM trace_line WHERE kind = 'CPU thread'
),
summed AS (SELECT moment, sum(alive) AS alive, sum(works) AS works, sum(waits) AS waits, sum(late) AS late FROM event GROUP BY moment)
SELECT CAST(alive AS INTEGER) AS alive, CAST(works AS INTEGER) AS works, CAST(waits AS INTEGER) AS waits, CAST(late AS INTEGER) AS late, sum(ns) AS ns
FROM (
    SELECT sum(alive) OVER line AS alive, sum(works) OVER line AS works, sum(waits) OVER line AS waits, sum(late) OVER line AS late,
        lead(moment) OVER line - moment AS ns
    FROM summed WINDOW line AS (ORDER BY moment)
) WHERE ns > 0 GROUP BY ALL
