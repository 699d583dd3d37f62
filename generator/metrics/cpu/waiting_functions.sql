/*---
title: Functions that wait, by CPU cost
better: lower
definition: >-
  Functions of parallel runtimes and calls that wait in which CPU cost was spent, largest first. Exclusive is spent in the function's own code.
population: >-
  call frames of all entry points and profiles, scope function; the first 10
needs: [cpu_event]
source: names of libraries and functions, listed in the store's macro is_waiting
caveat: >-
  Known by name only, as for the CPU cost of waiting. In the unit of the run's CPU event:
  CPU-seconds, thread-seconds or events.
empty: no function waits
columns:
  - {name: function, title: 'Function', unit: text}
  - {name: module, title: 'Module', unit: text}
  - {name: file, title: 'File', unit: text}
  - {name: line, title: 'Line', unit: id}
  - {name: exclusive, title: 'Exclusive', unit: "1"}
  - {name: exclusive_share, title: 'Share of all cost', unit: ratio}
---*/
WITH top AS (
    SELECT key, min_by(name, frame) AS name, min_by(module_path, frame) AS module, min_by(called_file, frame) AS called_file,
        min_by("function", frame) AS "function", sum(exclusive) AS exclusive
    FROM frame_cost($run, cpu_event_of($run))
    WHERE is_waiting(module_path, name)
    GROUP BY key
    HAVING sum(exclusive) > 0
    ORDER BY sum(exclusive) DESC, key
    LIMIT 10
)
SELECT top.name AS "function", top.module,
    regexp_replace(coalesce(file.path, top.called_file), '^src/', '/') AS file, nullif(defined.line, 0) AS line,
    top.exclusive, top.exclusive / total_of($run, cpu_event_of($run)) AS exclusive_share
FROM top
LEFT JOIN "function" AS defined ON defined.run = $run AND defined.id = top."function"
LEFT JOIN file ON file.run = $run AND file.id = defined.file
ORDER BY top.exclusive DESC, top.key
