/*---
title: GPU operations against their parts
unit: ratio
better: lower
definition: >-
  Difference between the time of all GPU operations and the sum of its parts (kernels, copies,
  memsets, allocation, synchronisation), over the time of all. It should be 0 up to rounding.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: [GPUOP (sec)]
source: GPUOP (sec) against GKER, GXCOPY, GICOPY, GMSET, GMEM and GSYNC (sec)
empty: the profile records no GPU operation
---*/
SELECT abs(total_of('GPUOP (sec)') - parts.value) / nullif(total_of('GPUOP (sec)'), 0) AS value
FROM (
    SELECT coalesce(sum(value), 0) AS value
    FROM total
    WHERE name IN ('GKER (sec)', 'GXCOPY (sec)', 'GICOPY (sec)', 'GMSET (sec)', 'GMEM (sec)', 'GSYNC (sec)')
) AS parts
