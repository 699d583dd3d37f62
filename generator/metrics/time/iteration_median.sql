/*---
title: Median iteration
unit: s
better: lower
definition: >-
  Median duration of an iteration. Iterations are found in the order of GPU operations, or by
  the function that profile.toml names in workload.iteration_marker.
population: >-
  complete iterations that are no warm-up
needs: [gpu_trace, iterations]
source: traces
---*/
SELECT median(duration) / 1e9 AS value, count(*) AS n FROM steady_iterations
