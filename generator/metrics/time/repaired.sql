/*---
title: Repaired GPU operations
unit: count
better: lower
definition: >-
  GPU operations after an idle of exactly 1 ns, whose recorded durations are wrong and were
  replaced by the median of the same calling context, or of the same kind where there is none.
population: >-
  GPU operations of all streams
needs: [gpu_trace]
source: traces
---*/
SELECT count(*) AS value FROM gpu_operation WHERE repaired
