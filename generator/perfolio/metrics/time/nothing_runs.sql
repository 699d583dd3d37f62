/*---
title: Where nothing runs, by function
better: lower
definition: >-
  Time in which no CPU thread and no GPU operation runs, by the functions on the calling path of
  the sample that ends it. Inclusive once for each function on the path; exclusive for the
  innermost function of Python, or the innermost one where there is none.
population: >-
  stretches without a sample between the first and the last one; the first 30 by exclusive time
needs: [cpu_time, cpu_trace]
source: traces
caveat: >-
  By samples of CPU time: a thread that is within a call, waits for a disk or another process, or
  has no core is seen alike, and so is one in which the profiler itself runs: a sample that hits the
  profiler's code is dropped. With Python's functions recorded (hpcrun -a python) the profiler's code runs
  at each call in Python, so that Python shows more of it than there would be without a profiler. In a
  trace, most samples in the own code of a function of Python stand under its caller, which then has the time as its own.
empty: >-
  a thread or a GPU operation runs at every moment, as time.nothing_runs_share then says, or threads were sampled by
  elapsed time, which passes while they wait as well
columns:
  - {name: function, title: 'Function', unit: text}
  - {name: file, title: 'File', unit: text}
  - {name: line, title: 'Line', unit: id}
  - {name: exclusive, title: 'In the function itself', unit: s}
  - {name: time, title: 'With what it calls', unit: s}
  - {name: share, title: 'Share of the wall time', unit: ratio}
---*/
SELECT name AS "function", file, line, spent.exclusive / 1e9 AS exclusive, spent.inclusive / 1e9 AS "time",
    spent.inclusive / (SELECT nullif(stop - start, 0) FROM cpu_trace_span) AS share
FROM functions_on_paths((
    SELECT list({'frame': frame, 'spent': spent})
    FROM (
        SELECT enclosing.frame, CAST(sum(idle.duration) AS DOUBLE) AS spent
        FROM idle_time AS idle
        JOIN enclosing_frame AS enclosing ON enclosing.context = idle.context
        GROUP BY enclosing.frame
    )
)) AS spent
ORDER BY spent.exclusive DESC, spent.inclusive DESC, spent.key
LIMIT 30
