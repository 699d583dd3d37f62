/*---
title: Idle time in gaps that neither launches nor PC samples explain
unit: ratio
better: lower
definition: >-
  Share of the GPU's idle time within steady iterations that is in gaps longer than 50 µs, or than 5 ms
  where PC samples were collected.
population: >-
  gaps that begin in steady iterations, or in the GPU span where no iterations were found; all streams
needs: [gpu_trace]
source: >-
  50 µs is ten times the cost of a launch; PC sampling serialises kernels and puts gaps of up to
  some milliseconds between them
empty: the GPU is never idle within its span
---*/
SELECT coalesce(sum(gpu_gap.duration) FILTER (WHERE gpu_gap.duration > limits.longest), 0) / nullif(sum(gpu_gap.duration), 0) AS value
FROM gpu_gap
CROSS JOIN (
    SELECT CASE WHEN count(*) > 0 THEN 5e6 ELSE 5e4 END AS longest
    FROM metric WHERE run = $run AND is_pc_sample(name)
) AS limits
CROSS JOIN (SELECT min(start) AS start, max(start + duration) AS stop FROM steady_iterations($run)) AS steady
WHERE run = $run AND (steady.start IS NULL OR gpu_gap.start >= steady.start AND gpu_gap.start < steady.stop)
