/*---
title: Idle time in gaps that neither launches nor PC samples explain
unit: ratio
better: lower
definition: >-
  Share of the GPU's idle time within steady iterations that is in gaps longer than 50 µs, or than 5 ms
  where PC samples were collected.
population: >-
  steady iterations, or the GPU span where none were found; all streams
needs: [gpu_trace]
source: >-
  50 µs is ten times the cost of a launch; PC sampling serialises kernels and puts gaps of up to
  some milliseconds between them
empty: the GPU is never idle in this time
---*/
SELECT coalesce(sum(gap.duration) FILTER (WHERE gap.duration > limits.longest), 0) / nullif(sum(gap.duration), 0) AS value
FROM steady_gaps AS gap
CROSS JOIN (SELECT CASE WHEN pc_sampled() THEN 5e6 ELSE 5e4 END AS longest) AS limits
