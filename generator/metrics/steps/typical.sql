/*---
title: Median step
unit: s
better: lower
definition: >-
  Median of the steps that the program or its profiler marks, from begin to end on the host; the parts of steps.parts
  add up to their mean.
population: steps of main threads, without the first one of each where there are three or more
needs: [steps]
source: begin and end of each step
caveat: As recorded, with what the profiler costs. Work that a step launched on a GPU may end later.
empty: no main thread marked a step
---*/
SELECT median(stop - start) / 1e9 AS value, count(*) AS n FROM host_step HAVING count(*) > 0
