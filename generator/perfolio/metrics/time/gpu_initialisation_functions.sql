/*---
title: Functions that initialise the GPU
better: lower
definition: >-
  The time of time.gpu_initialisation by function, as a share of the wall time, the longest
  stretch of it between two samples, when it begins, and where the function is called: its three nearest
  callers that have a name, and the nearest one of Python.
population: >-
  threads that launch GPU operations, from the first trace point to the first GPU operation; all
  CPU threads and the whole run where no GPU operation was recorded. Threads at once count once, also of several ranks
needs: [cpu_trace]
source: traces; names of functions of the CUDA, HIP and Level Zero runtimes and of PyTorch
caveat: >-
  Of a thread that is within the driver, waiting or working, no samples of CPU time are taken, so
  that the time between two samples is told by the later one. The profiler's own start-up within the driver
  counts as well.
empty: no thread was seen initialising a GPU
columns:
  - {name: function, title: 'Function', unit: text}
  - {name: time, title: 'Time', unit: s}
  - {name: share, title: 'Share of wall time', unit: ratio}
  - {name: begins, title: 'First seen', unit: s}
  - {name: callers, title: 'Called by', unit: text}
  - {name: longest, title: 'Longest stretch', unit: s}
---*/
WITH stretch AS MATERIALIZED (
    SELECT name, frame, start, stop - start AS spent FROM gpu_start
),
path AS MATERIALIZED (
    SELECT largest.name AS initialising, path.step, path.name, path.python, path.lexical_type,
        max(path.step) FILTER (WHERE regexp_replace(path.name, ' \[[^\]]*\]$', '') = largest.name) OVER (PARTITION BY largest.name) AS own
    FROM (
        SELECT name, frame FROM stretch GROUP BY name, frame
        QUALIFY row_number() OVER (PARTITION BY name ORDER BY sum(spent) DESC, frame) = 1
    ) AS largest
    JOIN path_frames((SELECT list(frame) FROM stretch)) AS path ON path.target = largest.frame
),
caller AS (
    SELECT initialising, step, regexp_extract(short_name(name), '(\w+::)?[^:]+$') AS name,
        row_number() OVER (PARTITION BY initialising ORDER BY step) AS nearest,
        row_number() OVER (PARTITION BY initialising, python ORDER BY step) AS of_kind, python
    FROM path
    WHERE step > own AND lexical_type = 'function' AND name NOT LIKE '0x%' AND name NOT LIKE '<%'
),
called AS (
    SELECT initialising, string_agg(name, ' ← ' ORDER BY step) AS callers
    FROM caller
    WHERE nearest <= 3 OR python AND of_kind = 1
    GROUP BY initialising
)
SELECT stretch.name AS "function", sum(spent) / 1e9 AS "time",
    sum(spent) / nullif(any_value(span.stop - span.start), 0) AS share,
    (min(stretch.start) - any_value(span.start)) / 1e9 AS begins, any_value(called.callers) AS callers,
    max(spent) / 1e9 AS longest
FROM stretch
JOIN cpu_trace_span AS span ON true
LEFT JOIN called ON called.initialising = stretch.name
GROUP BY stretch.name
ORDER BY sum(spent) DESC, stretch.name
