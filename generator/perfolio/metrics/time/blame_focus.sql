/*---
title: What the host does while the GPU is idle
better: lower
definition: >-
  The innermost function, in any language, that holds plainly more than half (55 %) of the GPU's idle time within steady
  iterations, and the innermost one below it that holds at least half of its time: the point from which on the time
  spreads. Where no function holds as much of the idle time, the path begins with the function that holds most of those
  with which calling paths begin, and goes on to the innermost function that holds 55 % of its time, and no less than the
  next of these. Of samples in native code, a function of Python around it that holds at most a third more is named. Time
  in which a thread waits for the GPU, in calls that synchronise, copy or free memory, or for another thread's backward pass, is
  nobody's. 95 % Wilson intervals, in whose upper ends idle time without any sample counts as the function's, too. Of the
  time of each, the share that samples taken in it account for, one period each: the rest is inferred from them.
population: >-
  as for the functions that run while the GPU is idle
needs: [cpu_trace, gpu_trace, launching]
source: HPCToolkit's idleness blame, by gaps, and the half of its hot path
caveat: >-
  Where the profiler lost frames of a calling path, the inner function gets less than it deserves.
empty: >-
  no launching thread was sampled while the GPU was idle, or fewer than 20 times where all gaps are shorter than the
  distance of samples; or such threads did nothing then but copy and wait
columns:
  - {name: function, title: 'Function', unit: text}
  - {name: file, title: 'File', unit: text}
  - {name: line, title: 'Line', unit: id}
  - {name: time, title: 'GPU idle time', unit: s}
  - {name: share, title: 'Share of GPU idle time', unit: ratio}
  - {name: time_low, title: 'GPU idle time, lower bound', unit: s}
  - {name: time_high, title: 'GPU idle time, upper bound', unit: s}
  - {name: share_low, title: 'Share of GPU idle time, lower bound', unit: ratio}
  - {name: share_high, title: 'Share of GPU idle time, upper bound', unit: ratio}
  - {name: covered, title: 'Sampled share of its time', unit: ratio}
---*/
WITH focus AS MATERIALIZED (
    FROM blame_focus
),
spent AS MATERIALIZED (
    SELECT enclosing.frame, sum(blame.duration) AS duration, sum(blame.sampled) AS sampled
    FROM recurring_blame AS blame JOIN enclosing_frame AS enclosing ON enclosing.context = blame.context
    GROUP BY enclosing.frame
),
within AS (
    SELECT DISTINCT focus.position, path.target
    FROM blame_paths AS path JOIN focus ON focus.key = path.key
),
told AS (
    SELECT within.position, sum(spent.sampled) / nullif(sum(spent.duration), 0) AS covered
    FROM within JOIN spent ON spent.frame = within.target
    GROUP BY within.position
)
SELECT name AS "function", file, line, inclusive / 1e9 AS "time", inclusive / gaps AS share,
    low / 1e9 AS time_low, high / 1e9 AS time_high, low / gaps AS share_low, high / gaps AS share_high, told.covered
FROM focus LEFT JOIN told ON told.position = focus.position
ORDER BY focus.position
