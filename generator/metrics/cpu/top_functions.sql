/*---
title: Functions by CPU cost
better: lower
definition: >-
  Functions in which CPU cost was spent, largest exclusive cost first. Exclusive is spent in the
  function's own code, inlined code of other functions not counted; inclusive holds all that it
  called, recursive calls counted once.
population: >-
  call frames of all entry points and profiles: scope function for exclusive, scope execution of
  the outermost frames for inclusive; the first 50. Code outside of any function counts under
  its file or module
needs: [cpu_event]
source: HPCToolkit's propagation scopes
caveat: >-
  In the unit of the run's CPU event: CPU-seconds, thread-seconds or events.
empty: no thread has a CPU cost
columns:
  - {name: function, title: 'Function', unit: text}
  - {name: module, title: 'Module', unit: text}
  - {name: file, title: 'File', unit: text}
  - {name: line, title: 'Line', unit: id}
  - {name: exclusive, title: 'Exclusive', unit: "1"}
  - {name: inclusive, title: 'Inclusive', unit: "1"}
  - {name: exclusive_share, title: 'Exclusive share', unit: ratio}
  - {name: inclusive_share, title: 'Inclusive share', unit: ratio}
---*/
WITH spent AS MATERIALIZED (
    SELECT * FROM frame_cost($run, cpu_event_of($run))
),
top AS (
    SELECT key, min(frame) AS example, sum(exclusive) AS exclusive
    FROM spent
    GROUP BY key
    HAVING sum(exclusive) > 0
    ORDER BY sum(exclusive) DESC, key
    LIMIT 50
),
reached AS (
    SELECT spent.key, sum(spent.inclusive) AS inclusive
    FROM spent
    JOIN outermost_frames($run, (SELECT list(key) FROM top)) AS outermost ON outermost.frame = spent.frame
    GROUP BY spent.key
)
SELECT spent.name AS "function", spent.module_path AS module,
    regexp_replace(coalesce(file.path, spent.called_file), '^src/', '/') AS file, nullif(defined.line, 0) AS line,
    top.exclusive, reached.inclusive,
    top.exclusive / total_of($run, cpu_event_of($run)) AS exclusive_share,
    reached.inclusive / total_of($run, cpu_event_of($run)) AS inclusive_share
FROM top
JOIN reached ON reached.key = top.key
JOIN spent ON spent.frame = top.example
LEFT JOIN "function" AS defined ON defined.run = $run AND defined.id = spent."function"
LEFT JOIN file ON file.run = $run AND file.id = defined.file
ORDER BY top.exclusive DESC, top.key
