/*---
title: Calling contexts that run while the GPU is idle
better: lower
definition: >-
  Idle time of the GPU within steady iterations by the calling contexts in which launching threads were
  sampled meanwhile: gaps are shared by the samples taken in them, those shorter than ten periods of the
  samples by the samples in all gaps of like length. File and line are of
  the innermost frame of Python, or without Python of the innermost one that has a source file,
  with code of the program before installed code: what ran there most; a module stands where no
  source is known.
population: >-
  gaps in complete iterations that are no warm-up, or in the GPU span where no iterations were
  found; of several GPUs the mean, against threads of the same rank. Launching
  threads are CPU threads with a sample that shares at least half of the calling path of a GPU
  operation. Contexts of one function and caller are one; the first 30
needs: [cpu_trace, gpu_trace, launching]
source: HPCToolkit's idleness blame, by gaps
empty: >-
  no launching thread was sampled while the GPU was idle, or fewer than 20 times where all gaps are shorter than the
  distance of samples
columns:
  - {name: context, title: 'Context', unit: id}
  - {name: path, title: 'Calling path', unit: text}
  - {name: time, title: 'GPU idle time', unit: s}
  - {name: share, title: 'Share of GPU idle time', unit: ratio}
  - {name: file, title: 'File', unit: text}
  - {name: line, title: 'Line', unit: id}
  - {name: module, title: 'Module', unit: text}
---*/
WITH blamed AS (
    SELECT context, sum(duration) AS spent FROM recurring_blame GROUP BY context
),
top AS MATERIALIZED (
    SELECT enclosing.frame, sum(blamed.spent) AS spent,
        first(blamed.context ORDER BY blamed.spent DESC, blamed.context) AS largest
    FROM blamed
    JOIN enclosing_frame AS enclosing ON enclosing.context = blamed.context
    GROUP BY enclosing.frame
    ORDER BY spent DESC, enclosing.frame
    LIMIT 30
)
SELECT top.frame AS context, paths.path, top.spent / 1e9 AS "time",
    top.spent / recurring_idle() AS share,
    place.file, place.line, place.module
FROM top
JOIN call_paths((SELECT list(frame) FROM top)) AS paths ON paths.frame = top.frame
LEFT JOIN source_place AS place ON place.context = top.largest
ORDER BY top.spent DESC, top.frame
