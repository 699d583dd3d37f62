/*---
title: Functions that run while the GPU is idle
better: lower
definition: >-
  Idle time of the GPU within steady iterations by the functions in which launching threads were sampled
  meanwhile: gaps are shared by the samples taken in them, those shorter than ten periods of the samples
  by the samples in all gaps of like length. Time counts once for each
  function on the calling path, exclusive only for the innermost Python function, or the
  innermost function of a path without Python.
population: >-
  gaps in complete iterations that are no warm-up, or in the GPU span where no iterations were
  found; of several GPUs the mean, against threads of the same rank. Launching
  threads are CPU threads with a sample that shares at least half of the calling path of a GPU
  operation. The first 30
needs: [cpu_trace, gpu_trace, launching]
source: HPCToolkit's idleness blame, by gaps
caveat: >-
  A function that runs while the GPU is idle need not be the reason for it. Gaps without any
  sample are blamed on nobody. Exclusive time of a function of Python is that of the native code below it
  too. Where the profiler lost a frame of Python, its time counts for the function that called it: a
  function that hardly computes itself and has much exclusive time most likely has that of its callees.
empty: >-
  no launching thread was sampled while the GPU was idle, or fewer than 20 times where all gaps are shorter than the
  distance of samples
columns:
  - {name: function, title: 'Function', unit: text}
  - {name: file, title: 'File', unit: text}
  - {name: line, title: 'Line', unit: id}
  - {name: time, title: 'GPU idle time', unit: s}
  - {name: exclusive, title: 'Exclusive', unit: s}
  - {name: share, title: 'Share of GPU idle time', unit: ratio}
---*/
SELECT name AS "function", file, line, inclusive / 1e9 AS "time", exclusive / 1e9 AS exclusive,
    inclusive / recurring_idle() AS share
FROM functions_on_paths((
    SELECT list({'frame': frame, 'spent': spent})
    FROM (
        SELECT enclosing.frame, sum(blame.duration) AS spent
        FROM recurring_blame AS blame JOIN enclosing_frame AS enclosing ON enclosing.context = blame.context
        GROUP BY enclosing.frame
    )
))
ORDER BY inclusive DESC, exclusive DESC, key
LIMIT 30
