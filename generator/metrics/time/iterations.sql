/*---
title: Iterations
unit: count
better: neither
definition: >-
  Iterations of the program. Iterations are found in the order of GPU operations, or by the
  function that profile.toml names in workload.iteration_marker. One begins with the first
  operation that occurs once in each.
population: >-
  operations of the busiest GPU stream
needs: [gpu_trace, iterations]
source: traces
caveat: >-
  Found by counting: the number N is the smallest from 5 on such that calling contexts which
  occur a multiple of N times hold 90 % of the operations.
---*/
SELECT count(*) AS value FROM iteration
