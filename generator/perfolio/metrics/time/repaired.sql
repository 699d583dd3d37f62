/*---
title: Repaired GPU operations
unit: count
better: lower
definition: >-
  GPU operations whose recorded durations are wrong and were replaced. Of samples, those after an idle of exactly 1 ns get
  the median of the same calling context, or of the same kind where there is none; of events, those that last into the next
  one of their stream end where that begins.
population: >-
  GPU operations of all streams
needs: [gpu_trace]
source: traces
---*/
SELECT count(*) AS value FROM gpu_operation WHERE repaired
