/*---
title: GPU operation time as recorded
unit: s
better: neither
definition: >-
  Sum of the durations of GPU operations as recorded, wrong ones included.
population: >-
  GPU operations of all streams
needs: [gpu_trace]
source: traces
caveat: >-
  Holds the tool's wrong durations; the time of GPU operations with these repaired is the one to use.
---*/
SELECT sum(raw_duration) / 1e9 AS value FROM gpu_operation
