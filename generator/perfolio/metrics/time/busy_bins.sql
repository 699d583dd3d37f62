/*---
title: GPU occupancy over time
better: higher
definition: >-
  Share of each of 240 equal parts of the run in which any operation, a kernel or a copy runs
  on a GPU.
population: >-
  all streams, of several GPUs the mean; the wall time, or the GPU span where there is no CPU
  trace
needs: [gpu_trace]
source: traces
columns:
  - {name: bin, title: 'Bin', unit: id}
  - {name: start, title: 'Start', unit: s}
  - {name: stop, title: 'End', unit: s}
  - {name: busy, title: 'Busy', unit: ratio}
  - {name: kernel, title: 'Kernels', unit: ratio}
  - {name: copy, title: 'Copies', unit: ratio}
---*/
SELECT bin, (start - origin) / 1e9 AS start, (stop - origin) / 1e9 AS stop,
    busy / (stop - start) AS busy, kernel / (stop - start) AS kernel, copy / (stop - start) AS copy
FROM gpu_bins
CROSS JOIN (SELECT start AS origin FROM traced_span)
WHERE whole = 'run'
ORDER BY bin
