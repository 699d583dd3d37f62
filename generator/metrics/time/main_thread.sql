/*---
title: What the main thread does on the clock
better: neither
definition: >-
  The main thread's elapsed time by what the program does, as functions on the calling path tell it, the
  largest part first and what none tells last. Each stretch between two samples counts for the later one, so
  waits and calls of the kernel count too. First seen is when the first such stretch begins.
population: >-
  the lowest-numbered CPU thread of each rank, or of the run where there are no ranks, from its first
  trace point to its last sample; the function is the program's own with half of the part at least
needs: [cpu_trace]
source: HPCToolkit's traces; names of functions and files in the store's table phase_pattern
caveat: >-
  As profiled: where the profiler slows down a part, as it does Python, that part is too large.
empty: no main thread was sampled
columns:
  - {name: part, title: 'Part', unit: text}
  - {name: time, title: 'Elapsed', unit: thread-s}
  - {name: share, title: 'Share', unit: ratio}
  - {name: begins, title: 'First seen', unit: s}
  - {name: function, title: 'Mostly in', unit: text}
  - {name: file, title: 'File', unit: text}
  - {name: line, title: 'Line', unit: id}
---*/
WITH stretch AS MATERIALIZED (
    FROM main_stretches($run)
),
owned AS (
    SELECT part, owner
    FROM (SELECT part, owner, sum(spent) AS spent, sum(sum(spent)) OVER (PARTITION BY part) AS whole FROM stretch GROUP BY part, owner)
    WHERE owner IS NOT NULL AND 2 * spent >= whole
    QUALIFY row_number() OVER (PARTITION BY part ORDER BY spent DESC, owner) = 1
),
example AS (
    SELECT key, arg_min(frames, frame) AS frame FROM frames($run) AS frames WHERE key IN (SELECT owner FROM owned) GROUP BY key
),
part AS (
    SELECT part, sum(spent) AS spent, min(begins) AS begins FROM stretch GROUP BY part
)
SELECT CASE part.part
        WHEN 'data' THEN 'preparing input data'
        WHEN 'initialisation' THEN 'initialising a GPU'
        WHEN 'importing' THEN 'importing modules'
        WHEN 'transfer' THEN 'copying to or from a GPU'
        WHEN 'forward' THEN 'the forward pass'
        WHEN 'backward' THEN 'the backward pass'
        WHEN 'optimizer' THEN 'the optimizer'
        ELSE part.part
    END AS part,
    part.spent / 1e9 AS "time", part.spent / sum(part.spent) OVER () AS share, part.begins / 1e9 AS begins,
    example.frame.name AS "function", source_path(coalesce(file.path, example.frame.called_file)) AS file, nullif(defined.line, 0) AS line
FROM part
LEFT JOIN owned ON owned.part = part.part
LEFT JOIN example ON example.key = owned.owner
LEFT JOIN "function" AS defined ON defined.run = $run AND defined.id = example.frame."function"
LEFT JOIN file ON file.run = $run AND file.id = defined.file
ORDER BY part.part = 'other', part.spent DESC, part.part
