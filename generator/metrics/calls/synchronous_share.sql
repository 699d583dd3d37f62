/*---
title: Synchronous copies and memsets, share of time
unit: ratio
better: lower
definition: Time in calls that copy or set memory and return only when that is done, over the time of the run.
population: calls of all threads by the names of functions, such as cudaMemcpy without Async
needs: [host_call]
source: begin and end of each call; the test is that of Nsight Systems (cuda_memcpy_sync, cuda_memset_sync)
caveat: An asynchronous call from or to pageable memory may wait, too; it is not in it.
empty: no time of the run is known
---*/
SELECT coalesce(sum(call.duration) FILTER (
        WHERE regexp_matches(call.name, '(?i)^(cuda|cu|hip)Mem(cpy|set)') AND call.name NOT ILIKE '%async%'
    ), 0) / nullif(any_value(span.stop - span.start), 0) AS value
FROM host_call AS call CROSS JOIN traced_span AS span HAVING any_value(span.stop - span.start) > 0
