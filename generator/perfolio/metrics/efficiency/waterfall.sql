/*---
title: From the peak to the model's rate
better: neither
definition: >-
  The median iteration as parts of the device's dense peak at the model's precision: what the model's own operations would take at that
  peak (model FLOP utilisation), and what was lost: products below the peak, other kernels, copies and other operations beside no
  kernel, and time in which the GPU was idle. Kernels that run at the same time share it by their durations.
population: complete iterations that are no warm-up, the mean over GPUs
needs: [gpu_trace, iterations, model_flops_per_iteration, workload.precision, hardware]
source: model FLOP utilisation as in the paper on PaLM; traces; products and attention of libraries by their names (kernel_pattern)
caveat: >-
  What a product loses may be its shape, its memory or its clock: the roofline tells which. Recomputed operations are in products below the peak.
empty: workload.precision is none of fp64, fp32, tf32, fp16, bf16, fp8, or its peak is not known
columns:
  - {name: part, title: 'Part', unit: text}
  - {name: seconds, title: 'Of an iteration', unit: s}
  - {name: share, title: 'Share', unit: ratio}
  - {name: kind, title: 'Kind', unit: text}
---*/
WITH iteration_time AS (SELECT length / 1e9 AS typical, n FROM iteration_length),
told AS (
    SELECT sum(ns) FILTER (WHERE state IN ('kernel', 'collective', 'kernel and collective', 'both')) / nullif(sum(ns), 0) AS kernels,
        sum(ns) FILTER (WHERE state NOT IN ('kernel', 'collective', 'kernel and collective', 'both', 'idle')) / nullif(sum(ns), 0) AS others
    FROM gpu_cell WHERE period = 'steady'
),
divided AS (
    SELECT sum(ran.duration) FILTER (WHERE kind.kind = 'library product') / nullif(sum(ran.duration), 0) AS products,
        sum(ran.duration) FILTER (WHERE kind.kind = 'collective') / nullif(sum(ran.duration), 0) AS collectives
    FROM gpu_operation AS ran
    JOIN kernel_class AS kind ON kind.context = ran.context
    CROSS JOIN steady_bounds AS steady
    WHERE ran.operation = 'kernel' AND ran.start >= steady.start AND ran.start < steady.stop
),
amount AS (
    SELECT typical, least(CAST(flops.value AS DOUBLE) / together, typical) AS model,
        typical * coalesce(kernels, 0) * coalesce(products, 0) AS products,
        typical * coalesce(kernels, 0) * coalesce(collectives, 0) AS collectives, typical * coalesce(kernels, 0) AS kernels,
        typical * coalesce(others, 0) AS others
    FROM iteration_time CROSS JOIN told CROSS JOIN divided CROSS JOIN device_peak
    JOIN setting AS flops ON flops.key = 'model_flops_per_iteration'
    WHERE typical > 0 AND peak > 0 AND kernels > 0
),
part AS (
    SELECT typical, unnest([
        {place: 1, part: 'the model''s operations at the peak', seconds: model, kind: 'reached'},
        {place: 2, part: 'products below the peak', seconds: greatest(products - model, 0), kind: 'lost'},
        {place: 3, part: 'other kernels', seconds: greatest(kernels - collectives - greatest(products, model), 0), kind: 'lost'},
        {place: 4, part: 'collectives', seconds: collectives, kind: 'lost'},
        {place: 5, part: 'copies and others beside no kernel', seconds: others, kind: 'lost'},
        {place: 6, part: 'idle', seconds: greatest(typical - greatest(kernels, model) - others, 0), kind: 'lost'}
    ], recursive := true)
    FROM amount
)
SELECT part, seconds, seconds / typical AS share, kind FROM part WHERE seconds > 0 OR place = 1 ORDER BY place
