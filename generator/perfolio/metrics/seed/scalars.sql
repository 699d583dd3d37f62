/*---
defaults:
  unit: ratio
  better: neither
  population: >-
    all calling contexts of all entry points and profiles: context 0 at scope execution
  needs: [kernel_launches]
  source: >-
    a formula of hand-made reports, kept to explain why their number differs; never used in a
    finding
---*/

/*---
name: depth_weighted_sum
title: Launches counted once per caller
unit: count
definition: >-
  Kernel launches at scope execution, summed over all calling contexts. It counts a launch once
  for each function, loop and line on its call path; the number of launches is gpu.launches.
population: >-
  calling contexts other than the root, scope execution: the wrong scope to sum
---*/
SELECT coalesce(sum(value), 0) AS value
FROM cost
WHERE name = 'kernel_launches' AND scope = 'execution' AND context <> 0

/*---
name: gpu_cpu_ratio
title: GPU time over CPU time
definition: >-
  GPU-operation time over CPU time, often called GPU utilisation. It is not: CPU time is summed
  over all threads, so the ratio falls with every idle helper thread. Utilisation is the union
  of busy intervals over wall time, which needs a trace.
needs: [gpu_operation_time, cpu_time]
empty: the profile records no CPU time
---*/
SELECT total_of('gpu_operation_time') / nullif(total_of('cpu_time'), 0) AS value

/*---
name: launch_overhead_5us
title: Launches at 5 microseconds each
unit: s
definition: >-
  Kernel launches times 5 microseconds. 5 microseconds is a fair cost of the call on the CPU,
  but a launch costs run time only where the GPU waits for it: gaps on a stream, which need a
  trace.
---*/
SELECT total_of('kernel_launches') * 5e-6 AS value

/*---
name: mfu_sparse
title: Model FLOP utilisation of a sparse peak
definition: >-
  Operations of the model over the median iteration, as a share of twice the device's dense peak: that of matrices with half of their
  entries zero, which vendors print first. See compute.mfu.
population: complete iterations that are no warm-up
needs: [gpu_trace, iterations, model_flops_per_iteration, workload.precision, hardware]
source: >-
  a mistake of reports, kept to explain why their number differs; never used in a finding
empty: workload.precision has no peak that is known
---*/
SELECT TRY_CAST(flops.value AS DOUBLE) / step.typical / peak.together / 2 AS value, step.n
FROM setting AS flops
CROSS JOIN (SELECT length / 1e9 AS typical, n FROM iteration_length) AS step
CROSS JOIN device_peak AS peak
WHERE flops.key = 'model_flops_per_iteration' AND step.typical > 0 AND peak.peak > 0

/*---
name: pcie_eff_64
title: Bytes to the device against 64 GB/s
definition: >-
  Bytes from host to device over the time of all copies, as a share of 64 GB/s. The time holds
  other directions too, and 64 GB/s is the rate of PCIe 5.0 x16 in one direction rounded up,
  taken for any machine. See transfer.link_efficiency.
needs: ["copy_bytes:H2D", copy_time]
empty: the profile records no copy time
---*/
SELECT total_of('copy_bytes:H2D') / nullif(total_of('copy_time'), 0) / 64e9 AS value
