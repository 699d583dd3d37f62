/*---
title: All time of each GPU
better: neither
definition: >-
  All time of a GPU, each moment in one row: when, what ran there or that nothing did, whether idle time is right beside a copy
  that kernels wait for, and how long a gap it is in (launch: below 32 us; longest: of its iteration; sampling: up to 5 ms, which
  PC sampling may have made). The rows of a GPU sum to the wall time, or where no CPU thread was traced to the time
  from its first operation to its last one.
population: >-
  GPU operations of all streams and the time between them; the first 64 GPUs
needs: [gpu_trace]
source: traces; the model gpu_cell
columns:
  - {name: gpu, title: 'GPU', unit: id}
  - {name: period, title: 'When', unit: text}
  - {name: state, title: 'What runs', unit: text}
  - {name: beside, title: 'Beside', unit: text}
  - {name: gap, title: 'Gap', unit: text}
  - {name: time, title: 'Time', unit: s}
  - {name: share, title: 'Share of the time of the GPU', unit: ratio}
  - {name: number, title: 'Intervals', unit: count}
---*/
SELECT device AS gpu, period, state, beside, class AS gap, ns / 1e9 AS "time", ns / sum(ns) OVER (PARTITION BY device) AS share, number
FROM gpu_cell
WHERE device < 64
ORDER BY device, ns DESC, period, state, beside, class
