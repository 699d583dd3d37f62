/*---
title: Functions that work, by CPU cost
better: lower
definition: >-
  Functions in which CPU cost was spent, code that waits and runtimes of a GPU left out, largest first. Exclusive is spent in
  the function's own code; inclusive holds all that it called, waiting too, recursive calls
  counted once.
population: >-
  call frames of all entry points and profiles, scope function for exclusive, scope execution of
  the outermost frames for inclusive; the first 10
needs: [cpu_event]
source: names of libraries and functions, listed in the store's macro is_waiting
caveat: >-
  Known by name only, as for the CPU cost of waiting. In the unit of the run's CPU event:
  CPU-seconds, thread-seconds or events.
empty: all CPU cost is waiting
columns:
  - {name: function, title: 'Function', unit: text}
  - {name: module, title: 'Module', unit: text}
  - {name: file, title: 'File', unit: text}
  - {name: line, title: 'Line', unit: id}
  - {name: exclusive, title: 'Exclusive', unit: "1"}
  - {name: exclusive_share, title: 'Share of all cost', unit: ratio}
  - {name: inclusive_share, title: 'Inclusive share', unit: ratio}
---*/
WITH spent AS MATERIALIZED (
    SELECT * FROM frame_cost($run, cpu_event_of($run))
),
top AS (
    SELECT key, min(frame) AS example, sum(exclusive) AS exclusive
    FROM spent
    WHERE NOT is_waiting(module_path, name) AND NOT is_gpu_runtime(module_path)
    GROUP BY key
    HAVING sum(exclusive) > 0
    ORDER BY sum(exclusive) DESC, key
    LIMIT 10
),
reached AS (
    SELECT spent.key, sum(spent.inclusive) AS inclusive
    FROM spent
    JOIN outermost_frames($run, (SELECT list(key) FROM top)) AS outermost ON outermost.frame = spent.frame
    GROUP BY spent.key
)
SELECT spent.name AS "function", spent.module_path AS module,
    regexp_replace(coalesce(file.path, spent.called_file), '^src/', '/') AS file, nullif(defined.line, 0) AS line,
    top.exclusive,
    top.exclusive / total_of($run, cpu_event_of($run)) AS exclusive_share,
    reached.inclusive / total_of($run, cpu_event_of($run)) AS inclusive_share
FROM top
JOIN reached ON reached.key = top.key
JOIN spent ON spent.frame = top.example
LEFT JOIN "function" AS defined ON defined.run = $run AND defined.id = spent."function"
LEFT JOIN file ON file.run = $run AND file.id = defined.file
ORDER BY top.exclusive DESC, top.key
