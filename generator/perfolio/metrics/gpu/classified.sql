/*---
title: What tells the classes of kernels
better: neither
definition: >-
  Kernel time by what tells the class of a kernel (gpu.kernel_classes): its name; an attribute, which is what the tool recorded of a
  collective, or the operator, range or library that launched it; or nothing, so that its class is other.
population: calling contexts of kernels at scope point
needs: [kernel_time]
source: names of kernels and operators, in the store's tables kernel_pattern and operator_pattern; arguments of collectives
empty: the profile records no kernel
columns:
  - {name: told, title: 'Told by', unit: text}
  - {name: launches, title: 'Launches', unit: count}
  - {name: time, title: 'Time', unit: s}
  - {name: share, title: 'Share of kernel time', unit: ratio}
  - {name: largest, title: 'Largest kernel', unit: text}
---*/
SELECT coalesce(kind.told, 'nothing') AS told,
    CASE WHEN count(*) FILTER (WHERE ran."time" > 0 AND ran.launches IS NULL) = 0 THEN sum(ran.launches) END AS launches,
    sum(ran."time") AS "time", sum(ran."time") / nullif(sum(sum(ran."time")) OVER (), 0) AS share, arg_max(ran.short, ran."time") AS largest
FROM kernel_context AS ran JOIN kernel_class AS kind ON kind.context = ran.context
GROUP BY told ORDER BY "time" DESC, told
