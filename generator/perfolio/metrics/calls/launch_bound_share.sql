/*---
title: Kernels shorter than the call that launched them
unit: ratio
better: lower
definition: Of the kernels that a call of their own launched, the share that ran for less time than the call took.
population: kernels with a recorded launch; no kernels of graphs
needs: [host_call, kernels]
source: begin and end of each call and kernel; the comparison is Holistic Trace Analysis's
empty: no kernel has a recorded launch
---*/
SELECT avg(CAST(duration < calling AS INTEGER)) AS value, count(*) AS n FROM kernel_launch HAVING count(*) > 0
