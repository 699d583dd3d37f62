/*---
title: Bursts of work
better: neither
definition: >-
  When each GPU stream or CPU thread works, between its longest pauses: from the end of one to the begin of the next, exactly,
  with the time in which something ran and how many operations, or times in one function, there were.
population: >-
  the trace lines of the timeline, each between its at most 300 longest pauses, at most 1,200 of all lines together, and
  those in which one of the longest gaps of its GPU lies
needs: [trace]
source: traces
caveat: >-
  A pause of a CPU thread begins where the time ends for which its last sample stands.
empty: no trace line is ever busy
columns:
  - {name: line, title: 'Line', unit: text}
  - {name: start, title: 'Start', unit: s}
  - {name: duration, title: 'Duration', unit: s}
  - {name: busy, title: 'Running', unit: s}
  - {name: operations, title: 'Operations', unit: count}
---*/
WITH active AS (
    SELECT operation.profile, operation.start, operation.start + operation.duration AS stop
    FROM gpu_operation AS operation
    WHERE operation.duration > 0 AND operation.profile IN (SELECT profile FROM drawn_line WHERE kind = 'GPU stream')
    UNION ALL
    SELECT profile, start, stop FROM cpu_interval
    WHERE stop > start AND profile IN (SELECT profile FROM drawn_line WHERE kind <> 'GPU stream')
),
upto AS MATERIALIZED (
    SELECT profile, start, stop,
        max(stop) OVER (PARTITION BY profile ORDER BY start, stop ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS last
    FROM active
),
gap AS MATERIALIZED (SELECT device, start, stop FROM steady_gaps ORDER BY duration DESC, start LIMIT 20),
pause AS MATERIALIZED (
    (
        SELECT profile, start FROM upto WHERE start > last
        QUALIFY row_number() OVER (PARTITION BY profile ORDER BY start - last DESC, start)
            <= least(300, 1200 // nullif((SELECT count(*) FROM drawn_line), 0))
    )
    UNION
    SELECT upto.profile, upto.start
    FROM upto
    JOIN gpu_stream AS stream ON stream.profile = upto.profile
    JOIN gap ON gap.device = stream.device AND gap.start >= upto.last AND gap.stop <= upto.start
),
burst AS (
    SELECT active.profile, pause.start AS since, min(active.start) AS start, max(active.stop) AS stop,
        sum(active.stop - active.start) AS busy, count(*) AS operations
    FROM active ASOF LEFT JOIN pause ON pause.profile = active.profile AND pause.start <= active.start
    GROUP BY active.profile, pause.start
)
SELECT line.name AS line, (burst.start - span.start) / 1e9 AS start, (burst.stop - burst.start) / 1e9 AS duration,
    least(burst.busy, burst.stop - burst.start) / 1e9 AS busy, burst.operations
FROM burst JOIN drawn_line AS line ON line.profile = burst.profile JOIN traced_span AS span ON true
ORDER BY line.place, start
