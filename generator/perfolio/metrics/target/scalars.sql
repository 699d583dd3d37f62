/*---
defaults:
  unit: ratio
  better: higher
---*/

/*---
name: link_efficiency
title: Link efficiency within reach
definition: >-
  Bytes of copies between host and device over the time that they take from page-locked memory, as a share of the
  link's rate in one direction. Copies of a calling context then take 1.4 µs each and their bytes at 77 % of that rate, or
  the time that they take now where that is less. Contexts none of whose copies runs in iterations
  (transfer.outside_iterations) keep their time: pinning memory for a copy that is made once costs more than the copy.
  Without iterations all contexts count.
population: >-
  calling contexts at scope point whose copies all go from the host to the device or all from the device to the host, as
  for transfer.link_efficiency
needs: ["copy_bytes:H2D", "copy_bytes:D2H", copy_time, hardware.link_bandwidth]
source: >-
  transfer.link_efficiency with that time; the cost and the rate as measured with page-locked memory on an A100
  (PCIe 4 x16, 24.3 of 31.5 GB/s)
caveat: >-
  What one machine reached and no bound. Copies that are joined need the fixed cost once, which is not in it. A context
  whose number of copies is not known keeps its time.
empty: no calling context copied between host and device only
---*/
SELECT sum(copied.bytes) / nullif(sum(CASE WHEN once.context IS NULL
        THEN least(copied."time", 1.4e-6 * copied.copies + copied.bytes / (0.77 * hardware.link_bandwidth))
        ELSE copied."time" END), 0) / any_value(hardware.link_bandwidth) AS value
FROM copy_contexts AS copied
CROSS JOIN run
JOIN hardware ON hardware.name = run.hardware
LEFT JOIN contexts_outside_iterations AS once ON once.context = copied.context
WHERE copied.direction IN ('H2D', 'D2H')

/*---
name: mfu
title: Model FLOP utilisation without idle time
definition: >-
  Floating-point operations of the model per iteration (from profile.toml) over the median time in
  which GPU operations run in an iteration, as a share of the dense peak, at the precision
  that workload.precision names, of all GPUs that take part: what this run would reach if the GPU never waited. Copies beside no
  kernel then run behind kernels, where no kernel waits for them or they have streams of their own
  (time.copy_waits): their share of busy time in steady iterations is left out. Products that
  were not recorded (compute.missing_products) run at that peak, beside nothing else.
population: complete iterations that are no warm-up
needs: [gpu_trace, iterations, model_flops_per_iteration, workload.precision, hardware]
source: model FLOP utilisation, as in the paper on PaLM, with the GPU's busy time for the iteration
caveat: >-
  The operations are those that the model needs, by its author's count: the profile measures none.
empty: workload.precision is none of fp64, fp32, tf32, fp16, bf16, fp8, or its peak is not known
---*/
SELECT flops / busy / together AS value, n
FROM (
    SELECT CAST(setting.value AS DOUBLE) AS flops
    FROM setting WHERE setting.key = 'model_flops_per_iteration'
) AS model, (
    SELECT median(gpu_busy * (1 - coalesce(behind.share, 0)) + missing) / 1e9 AS busy, count(*) AS n
    FROM unrecorded_products
    CROSS JOIN (
        SELECT least(greatest(any_value(alone.copy - wait.copy), 0) + any_value(wait.apart), any_value(alone.copy))
            / nullif(sum(steady.gpu_busy), 0) AS share
        FROM alone_in_parts AS alone
        JOIN copy_waits_in_parts AS wait ON wait.part = alone.part
        CROSS JOIN steady_iterations AS steady
        WHERE alone.part = 'steady iterations'
    ) AS behind
) AS iterations CROSS JOIN device_peak
WHERE busy > 0 AND peak > 0
