/*---
title: Running time by module
better: neither
definition: >-
  Time that CPU threads run in the code of each module itself, not in what it calls.
population: >-
  CPU trace lines of all profiles; time summed over threads; the first 30
needs: [cpu_trace]
source: HPCToolkit's traces
caveat: >-
  From samples in the trace, of which the profiler loses some: a CPU event of the profile is
  more exact where it was recorded.
columns:
  - {name: name, title: 'Module', unit: text}
  - {name: time, title: 'Running time', unit: thread-s}
  - {name: share, title: 'Share', unit: ratio}
---*/
SELECT coalesce(parse_filename(frames.module_path), 'unknown module') AS name, sum(cpu_time.duration) / 1e9 AS "time",
    sum(cpu_time.duration) / sum(sum(cpu_time.duration)) OVER () AS share
FROM cpu_time
JOIN enclosing_frames($run) AS enclosing ON enclosing.context = cpu_time.context
JOIN frames($run) AS frames ON frames.frame = enclosing.frame
WHERE cpu_time.run = $run
GROUP BY parse_filename(frames.module_path)
ORDER BY sum(cpu_time.duration) DESC, name
LIMIT 30
