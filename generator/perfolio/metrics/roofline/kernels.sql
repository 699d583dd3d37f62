/*---
title: Kernels against the roofline
better: neither
definition: >-
  Of kernels with equal name and number of blocks: mean time of a launch, operations and bytes of device memory of a launch as counted,
  their ratio (arithmetic intensity), the rate, the precision whose unit would take longest, which ceiling the kernel meets first, and
  its share of the roof: the least time that this ceiling allows over the time it took. Time is that of the trace where a kernel of this
  name and grid ran there, else that under the profiler of kernels.
population: launches that were counted; the first 100 by their time
needs: [counters, counted_operations]
source: the roofline model of Williams, Waterman and Patterson (2009); counters of Nsight Compute or rocprofiler-compute; peaks of the table hardware
caveat: >-
  Counts are of another execution of the program. Bytes are those of device memory; the caches may have served more. The share says what
  the algorithm as it is could gain at most, and nothing of one that moves fewer bytes.
columns:
  - {name: kernel, title: 'Kernel', unit: text}
  - {name: blocks, title: 'Blocks', unit: blocks}
  - {name: counted, title: 'Launches counted', unit: count}
  - {name: seconds, title: 'Time of a launch', unit: s}
  - {name: total, title: 'Time of those counted', unit: s}
  - {name: told_by, title: 'Time by', unit: text}
  - {name: flop, title: 'Operations', unit: FLOP}
  - {name: dram, title: 'Bytes', unit: B}
  - {name: intensity, title: 'Intensity', unit: FLOP/B}
  - {name: rate, title: 'Rate', unit: FLOP/s}
  - {name: bandwidth, title: 'Bandwidth', unit: B/s}
  - {name: precision, title: 'Precision', unit: text}
  - {name: side, title: 'Bound by', unit: text}
  - {name: share, title: 'Share of the roof', unit: ratio}
  - {name: occupancy, title: 'Resident warps', unit: ratio}
---*/
SELECT short AS kernel, blocks, counted, seconds, seconds * counted AS total,
    if(is_traced, 'trace', (SELECT any_value(tool) FROM witness WHERE id IN (SELECT witness FROM counted_launch))) AS told_by,
    flop, dram, intensity, rate, bandwidth, precision, side, share, occupancy
FROM kernel_roof
ORDER BY total DESC NULLS LAST, kernel, blocks
LIMIT 100
