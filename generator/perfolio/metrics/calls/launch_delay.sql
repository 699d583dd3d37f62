/*---
title: Launch delay
unit: s
better: lower
definition: >-
  Time from the end of the call that launches a kernel to the kernel's begin, the median over kernels: how far the
  host runs ahead of the GPU, or what a launch takes where the GPU waits. 0 where the kernel begins before the call ends.
population: kernels with a recorded launch; no kernels of graphs
needs: [host_call, kernels]
source: begin and end of each call and kernel
empty: no kernel has a recorded launch
---*/
SELECT median(greatest(start - called - calling, 0)) / 1e9 AS value, count(*) AS n FROM kernel_launch HAVING count(*) > 0
