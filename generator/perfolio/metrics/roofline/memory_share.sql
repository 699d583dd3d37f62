/*---
title: Time of kernels that memory bounds
unit: ratio
better: neither
definition: >-
  Share of the counted kernels' time in kernels that would spend more time on their bytes at memory's peak rate than on their operations at
  the peak of the units that they use.
population: counted kernels with operations and bytes
needs: [counters, counted_operations, hardware]
source: the roofline model; counters of Nsight Compute or rocprofiler-compute; peaks of the table hardware
caveat: Which side of the ridge a kernel is on says what would bound it, not that it reaches that bound.
empty: no kernel was counted with both operations and bytes, or the hardware has no peaks
---*/
SELECT coalesce(sum(seconds * counted) FILTER (WHERE side = 'memory'), 0) / nullif(sum(seconds * counted), 0) AS value, sum(counted) AS n
FROM kernel_roof WHERE side IS NOT NULL AND least > 0 AND seconds > 0
