/*---
title: Thread time by function
better: neither
definition: >-
  Time for which CPU threads were seen in each function and in what it calls, recursive calls
  counted once; entry points left out.
population: >-
  CPU trace lines of all profiles; time summed over threads; the first 30
needs: [cpu_trace]
source: traces
caveat: >-
  A sample of CPU time stands for one period of it, or for the time before it too where the
  profile charges it with more than ten; no thread runs for longer than its CPU time where the
  profile tells it; by samples of elapsed time, waiting counts as well. The
  profiler loses samples: a CPU event of the profile is more exact where it was recorded. In a trace, most
  samples in the own code of a function of Python stand under its caller, so that it has too little time.
columns:
  - {name: name, title: 'Function', unit: text}
  - {name: time, title: 'Time', unit: thread-s}
  - {name: share, title: 'Share', unit: ratio}
---*/
SELECT name, inclusive / 1e9 AS "time", inclusive / (SELECT sum(duration) FROM cpu_time) AS share
FROM functions_on_paths((
    SELECT list({'frame': frame, 'spent': spent})
    FROM (
        SELECT enclosing.frame, CAST(sum(cpu_time.duration) AS DOUBLE) AS spent
        FROM cpu_time JOIN enclosing_frame AS enclosing ON enclosing.context = cpu_time.context
        GROUP BY enclosing.frame
    )
))
ORDER BY inclusive DESC, exclusive DESC, key
LIMIT 30
