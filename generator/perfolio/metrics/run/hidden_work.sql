/*---
title: GPU work that is not recorded
unit: count
better: lower
definition: >-
  Reasons for which what the run holds of the GPU is a part of unknown size: graphs or launches without their
  operations, operations without a time, a recording of a graph's capture. Then no figure of the GPU is given. 0 where
  no reason is known.
population: all launches of the run
needs: []
source: the model hidden_work
caveat: >-
  What a sampling profiler took no sample in is not in a profile: 0 proves nothing there.
---*/
SELECT count(*) AS value FROM hidden_work
