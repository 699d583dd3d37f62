/*---
title: GPU occupancy in 30 chunks
better: higher
definition: >-
  Share of each of 30 equal parts of the time of steady iterations in which any operation, a kernel or a copy
  runs on a GPU.
population: >-
  from the first to the last steady iteration, or the GPU span where none were found; all streams, of
  several GPUs the mean
needs: [gpu_trace]
source: Nsight Systems' rule gpu_time_util, which has 30 chunks of the GPU's time
columns:
  - {name: bin, title: 'Bin', unit: id}
  - {name: start, title: 'Start', unit: s}
  - {name: stop, title: 'End', unit: s}
  - {name: busy, title: 'Busy', unit: ratio}
  - {name: kernel, title: 'Kernels', unit: ratio}
  - {name: copy, title: 'Copies', unit: ratio}
  - {name: idle, title: 'Idle', unit: ratio}
---*/
SELECT bin, (start - origin) / 1e9 AS start, (stop - origin) / 1e9 AS stop,
    busy / (stop - start) AS busy, kernel / (stop - start) AS kernel, copy / (stop - start) AS copy,
    1 - busy / (stop - start) AS idle
FROM gpu_bins
CROSS JOIN (SELECT start AS origin FROM traced_span)
WHERE whole = 'steady'
ORDER BY bin
