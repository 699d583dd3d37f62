/*---
title: Thread time by module
better: neither
definition: >-
  Time for which CPU threads were seen in the code of each module itself, not in what it calls.
population: >-
  CPU trace lines of all profiles; time summed over threads; the first 30
needs: [cpu_trace]
source: traces
caveat: >-
  A sample of CPU time stands for one period of it, or for the time before it too where the
  profile charges it with more than ten; no thread runs for longer than its CPU time where the
  profile tells it; by samples of elapsed time, waiting counts as well. The
  profiler loses samples: a CPU event of the profile is more exact where it was recorded. A sample
  in the interpreter of Python, or in compiled code of an extension, counts for that module here, and in CPU cost
  by module, always or in part, for the Python function that it ran or was called by, under <logical python>.
columns:
  - {name: name, title: 'Module', unit: text}
  - {name: time, title: 'Time', unit: thread-s}
  - {name: share, title: 'Share', unit: ratio}
---*/
WITH spent AS MATERIALIZED (
    SELECT enclosing.frame, sum(cpu_time.duration) AS spent
    FROM cpu_time JOIN enclosing_frame AS enclosing ON enclosing.context = cpu_time.context
    GROUP BY enclosing.frame
),
-- Apart from the join: DuckDB 2.0 ends with an internal error on some stores of several runs.
module_of AS MATERIALIZED (
    SELECT frame, coalesce(parse_filename(module_path), 'unknown module') AS name FROM frame
)
SELECT name, sum(spent) / 1e9 AS "time", sum(spent) / sum(sum(spent)) OVER () AS share
FROM spent JOIN module_of ON module_of.frame = spent.frame
GROUP BY name
ORDER BY sum(spent) DESC, name
LIMIT 30
