/*---
title: Multiprocessors with a warp, at least
unit: ratio
better: higher
definition: >-
  The least share of the multiprocessors, over the time of kernels, that had a warp to sample: PC
  samples taken over the most that all of them could give at the peak clock. It does not say how
  many warps each had.
population: >-
  all launches of all kernels: context 0 at scope execution
needs: [samples_taken, samples_expected, kernel_launches]
source: >-
  HPCToolkit expects floor(peak clock × kernel time / period) × multiprocessors samples of a launch
  (cupti_sm_efficiency_analyze), so the true expectation is larger by up to one per launch and
  multiprocessor. A multiprocessor takes one sample per period while it has a warp
caveat: >-
  A bound: a GPU below its peak clock takes fewer samples on as many multiprocessors, and so do
  short kernels. Several GPUs count as alike. Without the device's name, multiprocessors are as many
  as the expected samples allow, 256 at most.
empty: the profile expects no PC samples
---*/
SELECT least(1, taken / (expected + launches * coalesce(device.multiprocessors, least(allowed, 256)))) AS value
FROM (
    SELECT total_of('samples_taken') AS taken, total_of('samples_expected') AS expected,
        total_of('kernel_launches') AS launches,
        list_reduce(list(CAST(value AS BIGINT)), lambda a, b: gcd(a, b)) AS allowed
    FROM cost
    WHERE scope = 'point' AND name = 'samples_expected' AND value > 0
) AS sampled
LEFT JOIN (SELECT hardware.multiprocessors FROM hardware JOIN run ON run.hardware = hardware.name) AS device ON true
WHERE expected > 0
