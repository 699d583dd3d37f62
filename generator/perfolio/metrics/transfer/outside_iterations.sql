/*---
title: Copies outside of iterations
better: neither
definition: >-
  Time of copies, and time and bytes of those between host and device, in calling contexts none of whose
  copies runs between the begin of the first iteration on its GPU and the end of the last complete one, such
  as those of a model, or of a result at the end.
population: calling contexts at scope point whose copies all have one known direction
needs: [gpu_trace, iterations, copy_time]
source: measures of GPU operations and traces
caveat: >-
  A context that also copies within iterations is left out as a whole. The end of the last iteration is not
  known, so that what is copied in it alone counts as after it.
columns:
  - {name: time, title: 'Time', unit: s}
  - {name: link_time, title: 'Time over the link', unit: s}
  - {name: bytes, title: 'Bytes', unit: B}
---*/
SELECT coalesce(sum(copied."time"), 0) AS "time",
    coalesce(sum(copied."time") FILTER (WHERE copied.direction IN ('H2D', 'D2H')), 0) AS link_time,
    coalesce(sum(copied.bytes) FILTER (WHERE copied.direction IN ('H2D', 'D2H')), 0) AS bytes
FROM copy_contexts AS copied
JOIN contexts_outside_iterations AS once ON once.context = copied.context
WHERE copied.direction IN ('H2D', 'D2H', 'D2D', 'P2P')
