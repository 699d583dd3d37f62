/*---
title: Copies outside of iterations
better: neither
definition: >-
  Time of copies, and bytes of those between host and device, in calling contexts none of whose
  copies runs between the begin of the first iteration on its GPU and the end of the last complete one, such
  as those of a model, or of a result at the end.
population: calling contexts at scope point whose copies all have one known direction
needs: [gpu_trace, iterations, GXCOPY (sec)]
source: HPCToolkit's GPU metrics and traces
caveat: >-
  A context that also copies within iterations is left out as a whole. The end of the last iteration is not
  known, so that what is copied in it alone counts as after it.
columns:
  - {name: time, title: 'Time', unit: s}
  - {name: bytes, title: 'Bytes', unit: B}
---*/
WITH ran AS (
    SELECT operation.context, bool_or(operation.start + operation.duration > first.start AND operation.start < span.stop) AS within
    FROM gpu_operation AS operation
    JOIN gpu_stream AS stream ON stream.run = $run AND stream.profile = operation.profile
    JOIN first_iteration AS first ON first.run = $run AND first.device = stream.device
    CROSS JOIN (SELECT coalesce(max(stop) FILTER (WHERE mark <> 'incomplete'), max(stop)) AS stop FROM iteration WHERE run = $run) AS span
    WHERE operation.run = $run
    GROUP BY operation.context
)
SELECT coalesce(sum(copied."time"), 0) AS "time",
    coalesce(sum(copied.bytes) FILTER (WHERE copied.direction <> 'D2D'), 0) AS bytes
FROM copy_contexts($run) AS copied
JOIN ran ON ran.context = copied.context
WHERE NOT ran.within AND copied.direction IN ('H2D', 'D2H', 'D2D')
