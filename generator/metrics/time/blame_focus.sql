/*---
title: What the host does while the GPU is idle
better: lower
definition: >-
  The innermost function that holds at least half of the idle time between GPU operations, and
  the innermost one below it that holds at least half of its time, Python functions before
  others: the point from which on the time spreads. Where no function holds half of the idle
  time, half of what the largest one holds counts.
population: >-
  as for the functions that run while the GPU is idle
needs: [cpu_trace, gpu_trace, launching]
source: HPCToolkit's idleness blame, by gaps, and the half of its hot path
caveat: >-
  Where the profiler lost frames of a calling path, the inner function gets less than it deserves.
empty: no launching thread was sampled while the GPU was idle
columns:
  - {name: function, title: 'Function', unit: text}
  - {name: file, title: 'File', unit: text}
  - {name: line, title: 'Line', unit: id}
  - {name: time, title: 'GPU idle time', unit: s}
  - {name: share, title: 'Share of GPU idle time', unit: ratio}
---*/
SELECT name AS "function", file, line, inclusive / 1e9 AS "time",
    inclusive / (SELECT sum(duration) FROM gpu_gap WHERE run = $run) AS share
FROM blame_focus($run)
ORDER BY position
