/*---
title: Allocating and freeing GPU memory, share of the run
unit: ratio
better: lower
definition: >-
  Time that one host thread was in calls that allocate or free memory of a GPU after start-up, as a share of the time of the
  run: the thread with the most of it. Calls that lie within another one count once.
population: >-
  calls that begin after the first GPU operation, and in or after the first iteration where iterations were found; those
  before belong to start-up, and the first of them makes the GPU's context
needs: [host_call, gpu_trace]
source: begin and end of each call
caveat: Allocations that a framework serves from its own pool call nothing, and cost no time here.
empty: the run has no length
---*/
SELECT coalesce((SELECT max(spent) FROM runtime_time WHERE kind = 'allocation'), 0) / nullif(stop - start, 0) AS value
FROM traced_span
