/*---
title: Waiting for the GPU, share of the run
unit: ratio
better: lower
definition: >-
  Time that one host thread was in calls that wait for a GPU, as a share of the time of the run: the thread with the most
  of it, each moment once. Such are calls that synchronise, calls of a synchronous copy whose own copy goes to the host,
  and calls of an asynchronous one whose own copy goes to pageable memory of the host; where the memory is not recorded,
  those that return only when that copy has ended.
population: all calls that were recorded
needs: [host_call]
source: begin and end of each call
empty: the run has no length
---*/
SELECT coalesce((SELECT max(spent) FROM runtime_time WHERE kind = 'wait'), 0) / nullif(stop - start, 0) AS value FROM traced_span
