/*---
title: Kernels
better: lower
definition: >-
  Kernels by the time they took: what kind it is (kernel_class: a collective, a product of a library, or other), launches
  (those of the trace where the profile counts none), mean time, means per launch of registers, threads per
  block and shared memory per block, theoretical occupancy (where the hardware is known), PC
  samples and the share of them that are stalls. File and line are where the host launches most of
  their time: the innermost frame of Python, or without Python the innermost one that has a source
  file, with code of the program before installed code; a module stands where no source is known.
population: >-
  calling contexts of kernels at scope point (samples: scope execution of the same contexts,
  which do not nest), by kernel name; the first 200, cumulative shares over all
needs: [kernel_time]
source: measures of GPU operations; occupancy by NVIDIA's rules
caveat: >-
  HPCToolkit does not see kernels launched by cuLaunchKernelEx, cudaLaunchKernelExC or CUDA
  graphs, which most library kernels use from compute capability 9 on (H100 and newer): there, a
  lower bound. PC samples of several multiprocessors at one moment count as one independent sample.
empty: the profile records no kernel
columns:
  - {name: kernel, title: 'Kernel', unit: text}
  - {name: short, title: 'Short name', unit: text}
  - {name: kind, title: 'Kind', unit: text}
  - {name: launches, title: 'Launches', unit: count}
  - {name: time, title: 'Time', unit: s}
  - {name: mean, title: 'Mean time', unit: s}
  - {name: share, title: 'Share of kernel time', unit: ratio}
  - {name: cumulative, title: 'Cumulative share', unit: ratio}
  - {name: registers, title: 'Registers per thread', unit: registers}
  - {name: threads, title: 'Threads per block', unit: threads}
  - {name: static_shared, title: 'Static shared memory', unit: B}
  - {name: dynamic_shared, title: 'Dynamic shared memory', unit: B}
  - {name: occupancy, title: 'Theoretical occupancy', unit: ratio}
  - {name: samples, title: 'Samples', unit: samples}
  - {name: independent, title: 'Independent samples', unit: samples}
  - {name: stalled, title: 'Stalled samples', unit: ratio}
  - {name: file, title: 'File', unit: text}
  - {name: line, title: 'Line', unit: id}
  - {name: module, title: 'Module', unit: text}
---*/
WITH kernel AS (
    SELECT kernel_contexts.kernel, any_value(kernel_contexts.short) AS short,
        CASE WHEN count(*) FILTER (WHERE "time" > 0 AND launches IS NULL) = 0 THEN sum(launches) END AS launches, sum("time") AS "time",
        sum(launches * registers) / sum(launches) AS registers,
        sum(launches * threads) / sum(launches) AS threads,
        sum(launches * static_shared) / sum(launches) AS static_shared,
        sum(launches * dynamic_shared) / sum(launches) AS dynamic_shared,
        sum(launches * occupancy) / sum(launches) AS occupancy,
        sum(sampled.samples) / nullif(sample_period(), 0) AS samples,
        sum(sampled.independent) / nullif(sample_period(), 0) AS independent,
        sum(sampled.stalled) / nullif(sum(sampled.samples), 0) AS stalled,
        first(kernel_contexts.context ORDER BY "time" DESC, kernel_contexts.context) AS largest
    FROM kernel_context AS kernel_contexts
    LEFT JOIN sampled_contexts AS sampled ON sampled.context = kernel_contexts.context
    GROUP BY kernel_contexts.kernel
)
SELECT kernel.kernel, kernel.short, kind.kind,
    launches, "time", "time" / launches AS mean,
    "time" / nullif(sum("time") OVER (), 0) AS share,
    sum("time") OVER (ORDER BY "time" DESC, kernel.kernel ROWS UNBOUNDED PRECEDING) / nullif(sum("time") OVER (), 0) AS cumulative,
    registers, threads, static_shared, dynamic_shared, occupancy, samples, independent, stalled,
    place.file, place.line, place.module
FROM kernel
LEFT JOIN kernel_class AS kind ON kind.context = kernel.largest
LEFT JOIN source_place AS place ON place.context = kernel.largest
ORDER BY "time" DESC, kernel.kernel
LIMIT 200
