/*---
title: Kernels of workloads
about: The kernels that take most of the time of a workload, over all of its runs; at most ten of each.
population: runs whose GPU time is divided
columns:
  - {name: workload, title: Workload, unit: text}
  - {name: kernel, title: Kernel, unit: text}
  - {name: class, title: Class, unit: text}
  - {name: runs, title: Runs, unit: count}
  - {name: share, title: Share of kernel time, unit: ratio}
  - {name: mean, title: Mean of a call, unit: s}
---*/
SELECT run.workload, kernel.kernel, kernel.class, count(*) AS runs,
    sum(kernel.ns) / nullif(sum(sum(kernel.ns)) OVER (PARTITION BY run.workload), 0) AS share,
    sum(kernel.ns) / nullif(sum(kernel.calls), 0) / 1e9 AS mean
FROM kernel JOIN run USING (run)
GROUP BY run.workload, kernel.kernel, kernel.class
QUALIFY row_number() OVER (PARTITION BY run.workload ORDER BY sum(kernel.ns) DESC, kernel.kernel, kernel.class) <= 10
ORDER BY run.workload, share DESC, kernel.kernel
