/*---
title: Kernels that multiply matrices in plain FP32
better: neither
definition: >-
  Kernels whose names say that they multiply FP32 matrices without tensor cores (sgemm, or simt
  kernels of CUTLASS and cuBLAS), by the time they took.
population: calling contexts of kernels at scope point, by kernel name; the first 30
needs: [kernel_time]
source: names of kernels in cuBLAS and CUTLASS, listed in the query
caveat: >-
  Known by name only: products in kernels with other names are not listed.
empty: no kernel has such a name
columns:
  - {name: short, title: 'Kernel', unit: text}
  - {name: launches, title: 'Launches', unit: count}
  - {name: mean, title: 'Mean time', unit: s}
  - {name: time, title: 'Time', unit: s}
  - {name: share, title: 'Share of kernel time', unit: ratio}
  - {name: file, title: 'File', unit: text}
  - {name: line, title: 'Line', unit: id}
  - {name: module, title: 'Module', unit: text}
---*/
WITH kernel AS (
    SELECT kernel, any_value(short) AS short, sum(launches) AS launches, sum("time") AS "time",
        sum("time") / nullif(sum(sum("time")) OVER (), 0) AS share,
        first(context ORDER BY "time" DESC, context) AS largest
    FROM kernel_context
    GROUP BY kernel
)
SELECT kernel.short, launches, "time" / launches AS mean, "time", share, place.file, place.line, place.module
FROM kernel
LEFT JOIN source_place AS place ON place.context = kernel.largest
WHERE multiplies_plain_fp32(kernel.kernel)
ORDER BY "time" DESC, kernel.short
LIMIT 30
