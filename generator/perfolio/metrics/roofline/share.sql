/*---
title: Share of the roof
unit: ratio
better: higher
definition: >-
  The least time in which the device's ceilings allow what the counted kernels do, over the time that they took: of each kernel the
  longest of its bytes over memory's rate and of each unit's operations over its rate.
population: counted kernels with operations and bytes, each weighted by its time
needs: [counters, counted_operations, hardware]
source: the roofline model of Williams, Waterman and Patterson (2009); counters of Nsight Compute or rocprofiler-compute; peaks of the table hardware
caveat: A bound for the kernels as they are, at nominal peaks; fewer bytes or operations by another algorithm are not in it.
empty: no kernel was counted with both operations and bytes, or the hardware has no peaks
---*/
SELECT sum(least * counted) / nullif(sum(seconds * counted), 0) AS value, sum(counted) AS n
FROM kernel_roof WHERE flop IS NOT NULL AND dram IS NOT NULL AND least > 0 AND seconds > 0
