/*---
title: Kernels of the slowest rank
better: lower
definition: >-
  Kernels other than collectives, by the time that they take on the rank with the least time in
  collectives: launches and mean time there, and the median of both over the other ranks.
population: >-
  GPU operations of all streams of each rank in the steady state: iterations after the warm-up, or
  the GPU span where no iterations were found; the first 20 kernels
needs: [gpu_trace, ranks]
source: traces
empty: >-
  no kernel that communicates was seen in the steady state of two ranks or more
columns:
  - {name: kernel, title: 'Kernel', unit: text}
  - {name: launches, title: 'Launches', unit: count}
  - {name: usual_launches, title: 'On other ranks', unit: count}
  - {name: mean, title: 'Mean time', unit: s}
  - {name: usual_mean, title: 'On other ranks', unit: s}
  - {name: longer, title: 'Ratio', unit: x}
---*/
SELECT kernel_short(short_name(late.kernel), kernel_detail(late.kernel)) AS kernel,
    coalesce(late.launches, 0) AS launches, coalesce(late.usual_launches, 0) AS usual_launches,
    late.duration / 1e9 AS mean, late.usual_duration / 1e9 AS usual_mean, late.duration / late.usual_duration AS longer
FROM late_rank_kernels AS late
ORDER BY coalesce(late.launches * late.duration, 0) DESC, late.usual_launches * late.usual_duration DESC, late.kernel
LIMIT 20
