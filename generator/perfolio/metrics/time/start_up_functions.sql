/*---
title: Functions that run during start-up
better: lower
definition: >-
  What launching threads were in before the first iteration, or before the first GPU operation
  where no iterations were found, while the GPU was idle: the innermost Python function of the calling path, or the
  innermost function of a path without Python. File and line
  are of the innermost frame of Python, or without Python of the innermost one that has a source
  file, with code of the program before installed code; a module stands where no source is known.
population: >-
  samples of launching threads while the GPU is idle, two of them in the same moment by
  half; the first 30 functions and lines
needs: [cpu_trace, gpu_trace, launching]
source: traces
caveat: >-
  Sampled time and not all of the start-up: samples of CPU time say nothing of what a thread
  waits for, such as files.
empty: no launching thread was sampled before the first iteration or, without iterations, GPU operation
columns:
  - {name: function, title: 'Function', unit: text}
  - {name: time, title: 'Time', unit: s}
  - {name: share, title: 'Share of that time', unit: ratio}
  - {name: file, title: 'File', unit: text}
  - {name: line, title: 'Line', unit: id}
  - {name: module, title: 'Module', unit: text}
---*/
WITH sampled AS MATERIALIZED (
    SELECT blame.context, enclosing.frame, sum(blame.sampled) AS spent
    FROM blame
    JOIN enclosing_frame AS enclosing ON enclosing.context = blame.context
    WHERE blame.period IN ('before', 'start-up')
    GROUP BY blame.context, enclosing.frame
),
told AS (
    SELECT target AS frame, first(name ORDER BY python DESC, step) AS name
    FROM path_frames((SELECT list(DISTINCT frame) FROM sampled))
    WHERE lexical_type <> 'entry' OR step = 0
    GROUP BY target
)
SELECT told.name AS "function", sum(sampled.spent) / 1e9 AS "time",
    sum(sampled.spent) / sum(sum(sampled.spent)) OVER () AS share,
    place.file, place.line, place.module
FROM sampled
JOIN told ON told.frame = sampled.frame
JOIN source_place AS place ON place.context = sampled.context
GROUP BY told.name, place.file, place.line, place.module
ORDER BY sum(sampled.spent) DESC, told.name, place.file, place.line, place.module
LIMIT 30
