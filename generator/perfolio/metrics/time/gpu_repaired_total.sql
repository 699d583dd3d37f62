/*---
title: GPU operation time, repaired
unit: s
better: lower
definition: >-
  Sum of the durations of GPU operations. Durations that the tool recorded wrongly (after an
  idle of exactly 1 ns) are replaced by the median of the same calling context.
population: >-
  GPU operations of all streams
needs: [gpu_trace]
source: traces
---*/
SELECT sum(duration) / 1e9 AS value FROM gpu_operation
