/*---
title: Synchronous copies and memsets, share of time
unit: ratio
better: lower
definition: >-
  Time in which the operation of a call that copies or sets memory and returns only when that is done runs on a GPU while
  the call lasts, over the time of the run; each moment once, whatever number of threads. Of a call without a recorded
  operation all its time counts. Before its operation runs, such a call waits for earlier work of the GPU.
population: calls of all threads by the names of functions, such as cudaMemcpy without Async
needs: [host_call]
source: >-
  begin and end of each call and of what it launched; the calls are those of Nsight Systems (cuda_memcpy_sync,
  cuda_memset_sync)
caveat: An asynchronous call from or to pageable memory may copy while it lasts, too; it is not in it.
empty: no time of the run is known
---*/
WITH call AS (
    SELECT "from", until, max(until) OVER (ORDER BY "from", until ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS reached
    FROM blocking_calls WHERE copies AND until > "from"
)
SELECT coalesce((SELECT sum(greatest(until - greatest("from", coalesce(reached, "from")), 0)) FROM call), 0)
    / nullif(span.stop - span.start, 0) AS value
FROM traced_span AS span WHERE span.stop > span.start
