/*---
defaults:
  unit: ratio
  better: higher
  population: >-
    all calling contexts of all entry points and profiles: context 0 at scope execution
---*/

/*---
name: coverage
title: Sampling coverage
definition: >-
  PC samples taken over PC samples expected, at most 1. It is the share of multiprocessors'
  time, within kernels and at the peak clock, in which a multiprocessor had work.
needs: [samples_taken, samples_expected]
source: samples_use = min(100, max(0, 100 x samples_taken / samples_expected))
caveat: >-
  The expectation assumes the peak clock: at a lower clock coverage stays below 1 on a fully
  busy GPU. It is rounded down for each launch, by which coverage is too large where kernels are
  short.
empty: the profile expects no PC samples
---*/
SELECT least(1, greatest(0, total_of('samples_taken') / nullif(total_of('samples_expected'), 0))) AS value
WHERE total_of('samples_expected') > 0

/*---
name: dropped_share
title: Dropped PC samples
better: lower
definition: >-
  PC samples that the GPU dropped, over dropped and taken ones. Where it is large, shares of
  stalls lean to quiet phases.
needs: [samples_dropped, samples_taken]
source: samples_dropped / (samples_dropped + samples_taken)
empty: the profile holds no PC samples
---*/
SELECT total_of('samples_dropped') / nullif(total_of('samples_dropped') + total_of('samples_taken'), 0) AS value

/*---
name: expected
title: Expected PC samples
unit: samples
better: neither
definition: >-
  Number of PC samples that kernels would have given had all multiprocessors been busy at the
  peak clock.
needs: [samples_expected]
source: measure samples_expected
caveat: >-
  HPCToolkit assumes the peak clock, which a GPU does not hold, and rounds down the periods of each
  launch: of a kernel shorter than one it expects none.
---*/
SELECT total_of('samples_expected') AS value

/*---
name: halfwidth
title: Widest interval of a stall share
better: lower
definition: >-
  Half the width, in percentage points, of the widest 95 % Wilson interval among the shares of
  stall reasons in stalled samples. Reasons whose shares differ by less cannot be ranked.
population: >-
  all PC samples of all kernels: context 0 at scope execution, divided by the sampling period to
  give samples
needs: [stalled_samples, samples_taken]
source: 95 % Wilson interval of a binomial share
caveat: >-
  Multiprocessors are sampled at the same moments and are apt to do the same then: samples of one
  moment count as one. Where the profile does not tell how many those are, all samples count as
  independent and the true uncertainty is larger.
empty: the profile holds no stalled PC samples
---*/
SELECT max(binomial_high(samples, stalled) - binomial_low(samples, stalled)) / 2 AS value, any_value(stalled) AS n
FROM (
    SELECT total.value / each AS samples, total_of('stalled_samples') / each AS stalled
    FROM (SELECT sample_period() * samples_at_once() AS each)
    CROSS JOIN total
    JOIN stall_reason ON total.name = 'stalled_samples:' || stall_reason.code
)

/*---
name: metrics_listed
title: PC-sample metrics in the list
unit: count
better: neither
definition: >-
  How many metrics of PC samples the database lists, with or without values: more than 0 means
  that PC sampling was on.
population: names of HPCToolkit metrics that begin with GINS or GCYCLES
needs: []
source: the database's list of metrics
---*/
SELECT count(DISTINCT name) AS value FROM metric WHERE is_pc_sample(measure) AND pc_sampled()

/*---
name: multiprocessors
title: Multiprocessors with a warp, at least
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

/*---
name: period
title: PC sampling period
unit: cycles
better: neither
definition: >-
  Cycles between two PC samples of a multiprocessor: a setting of the measurement.
population: >-
  the smallest entry over all kernels and profiles: the setting is stored once per kernel, so
  its sum means nothing
needs: [sample_period]
source: measure sample_period
empty: no kernel was sampled
---*/
SELECT sample_period() AS value

/*---
name: samples
title: PC samples
unit: samples
definition: Number of PC samples that the GPU took.
needs: [samples_taken]
source: measure samples_taken
---*/
SELECT total_of('samples_taken') AS value
