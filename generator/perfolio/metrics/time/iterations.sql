/*---
title: Iterations
unit: count
better: neither
definition: >-
  Iterations of the program: by the function that profile.toml names in workload.iteration_marker, else the steps that the
  program marks, else as they are found in the order of GPU operations, where one begins with the first
  operation that occurs once in each.
population: >-
  operations of the busiest GPU stream; marked steps of its rank
needs: [gpu_trace, iterations]
source: traces
caveat: >-
  Where no step is marked, found by counting: the number N is the smallest from 5 on such that calling contexts which
  occur a multiple of N times hold 90 % of the operations.
---*/
SELECT count(*) AS value FROM iteration
