/*---
title: GPU operations against their parts
unit: ratio
better: lower
definition: >-
  Difference between the time of all GPU operations and the sum of its parts (kernels, copies,
  memsets, allocation, synchronisation), over the time of all. It should be 0 up to rounding.
population: >-
  all calling contexts of all entry points and profiles: context 0 at scope execution
needs: [gpu_operation_time]
source: gpu_operation_time against GKER, GXCOPY, GICOPY, GMSET, GMEM and synchronisation_time
empty: the profile records no GPU operation, or does not tell kernels, copies and memsets apart
---*/
SELECT abs(total_of('gpu_operation_time') - parts.value) / nullif(total_of('gpu_operation_time'), 0) AS value
FROM (
    SELECT coalesce(sum(value), 0) AS value
    FROM total
    WHERE name IN ('kernel_time', 'copy_time', 'implicit_copy_time', 'memset_time', 'allocation_time', 'synchronisation_time')
    HAVING count(*) > 0
) AS parts
