/*---
title: Kernels that one call would do
better: lower
definition: >-
  Chains of kernels that fused implementations replace by one call, known by names: attention, a
  softmax between two batched matrix products of a stream, and steps of Adam, AdamW or SGD that
  PyTorch makes of many kernels. Per iteration and GPU: chains, their kernel time and the gaps
  between their kernels; and the share of the kernel time of steady iterations.
population: >-
  kernels of steady iterations, on all streams, by the calling context of a chain's first kernel;
  the first 30
needs: [gpu_trace, iterations]
source: >-
  names of kernels and functions of PyTorch, in the store's table fusable_pattern
caveat: >-
  Known by names, which others than PyTorch's own operators do not have: a lower bound. A fused
  kernel takes time as well.
empty: no kernel of steady iterations is known by name to be part of such a chain
columns:
  - {name: kind, title: 'What', unit: text}
  - {name: path, title: 'Call path', unit: text}
  - {name: chains, title: 'Chains per iteration', unit: count}
  - {name: kernels, title: 'Kernels in each', unit: count}
  - {name: time, title: 'Kernel time per iteration', unit: s}
  - {name: gaps, title: 'Gaps per iteration', unit: s}
  - {name: share, title: 'Share of kernel time', unit: ratio}
  - {name: instead, title: 'In one call', unit: text}
  - {name: file, title: 'File', unit: text}
  - {name: line, title: 'Line', unit: id}
  - {name: module, title: 'Module', unit: text}
---*/
WITH part AS MATERIALIZED (
    SELECT kind, place, count(DISTINCT (profile, iteration, chain)) AS chains, count(*) AS kernels, sum(duration) AS spent, sum(gap) AS gaps
    FROM fusable_kernels
    GROUP BY kind, place
),
whole AS (
    SELECT count(*) * gpus() AS iterations FROM steady_iterations
),
kernel AS (
    SELECT sum(ran.duration) AS spent
    FROM gpu_operation AS ran
    ASOF JOIN steady_iterations AS steady ON steady.start <= ran.start
    WHERE ran.operation = 'kernel' AND ran.start < steady.start + steady.duration
)
SELECT part.kind, paths.path,
    part.chains / whole.iterations AS chains, part.kernels / part.chains AS kernels,
    part.spent / whole.iterations / 1e9 AS "time", part.gaps / whole.iterations / 1e9 AS gaps,
    part.spent / nullif(kernel.spent, 0) AS share,
    CASE part.kind WHEN 'optimiser' THEN 'fused=True' ELSE 'scaled_dot_product_attention' END AS instead,
    place.file, place.line, place.module
FROM part
CROSS JOIN whole
CROSS JOIN kernel
LEFT JOIN enclosing_frame AS enclosing ON enclosing.context = part.place
LEFT JOIN call_paths((
    SELECT list(DISTINCT enclosing.frame) FROM part JOIN enclosing_frame AS enclosing ON enclosing.context = part.place
)) AS paths ON paths.frame = enclosing.frame
LEFT JOIN source_place AS place ON place.context = part.place
ORDER BY part.spent DESC, part.kind, part.place
LIMIT 30
