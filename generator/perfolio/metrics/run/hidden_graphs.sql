/*---
title: CUDA graphs that are not recorded
unit: count
better: lower
definition: >-
  1 where the program launches CUDA graphs and none of their operations is recorded: then figures of
  the GPU are of a part of unknown size. 0 where no launch of a graph was seen.
population: all functions of the run
needs: []
source: names of functions on calling paths (the model hidden_graph)
caveat: >-
  What no sample touched is not in a profile: 0 proves nothing.
---*/
SELECT count(*) AS value
FROM hidden_graph
