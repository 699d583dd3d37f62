/*---
title: What the main thread runs
better: neither
definition: >-
  The time for which samples of CPU time show the main thread running, by what the program does: the parts of
  the metric time.main_thread without the time in which it waits, is off its core, or no sample shows
  whether it runs. A wait for the GPU that spins runs, and so do the profiler's own
  calls. The largest part first, and what no function tells last.
population: >-
  the lowest-numbered CPU thread of the run; of several ranks the mean over their main threads. The function
  is the program's own with half of the part at least
needs: [cpu_time, cpu_trace]
source: traces; names of functions and files in the store's table phase_pattern
caveat: >-
  What the profiler adds to the time that the thread runs is in it, too.
empty: no main thread was sampled by CPU time
columns:
  - {name: part, title: 'Part', unit: text}
  - {name: time, title: 'Seen running', unit: s}
  - {name: share, title: 'Share', unit: ratio}
  - {name: total, title: 'Main thread seen running', unit: s}
  - {name: function, title: 'Mostly in', unit: text}
---*/
WITH stretch AS MATERIALIZED (
    FROM main_stretches WHERE running > 0
),
owned AS (
    SELECT part, owner_of_half(owner, running) AS owner
    FROM (SELECT part, owner, sum(running) AS running FROM stretch GROUP BY part, owner)
    GROUP BY part
),
example AS (
    SELECT key, arg_min(name, frame) AS name FROM frame AS frames WHERE key IN (SELECT owner FROM owned) GROUP BY key
),
part AS (
    SELECT part, sum(running) / any_value(threads) AS running FROM stretch GROUP BY part
)
SELECT part_name(part.part) AS part, part.running / 1e9 AS "time",
    part.running / sum(part.running) OVER () AS share, sum(part.running) OVER () / 1e9 AS total, example.name AS "function"
FROM part
LEFT JOIN owned ON owned.part = part.part
LEFT JOIN example ON example.key = owned.owner
ORDER BY part.part = 'other', part.running DESC, part.part
