/*---
title: Unified-memory copies, share of GPU-operation time
unit: ratio
better: lower
definition: >-
  Share of GPU-operation time in which the driver moved pages of unified memory by itself.
population: all calling contexts of all entry points and profiles, context 0 at scope execution
needs: [implicit_copy_time, gpu_operation_time]
source: implicit_copy_time / gpu_operation_time
caveat: >-
  HPCToolkit gives a lower bound, as it records such copies only where the vendor's tracing reports them as
  operations, and page faults within a kernel count as the kernel's own time.
empty: no GPU operation was recorded
---*/
SELECT total_of('implicit_copy_time') / nullif(total_of('gpu_operation_time'), 0) AS value
