/*---
title: Stall reasons by kernel
better: lower
definition: >-
  PC samples of each kernel, the share of them that are stalls, and what its stalls are made of:
  the shares of the reasons are of its stalled samples. File and line are where the host launches
  most of its samples, as for the kernels by time; a module stands where no source is known.
population: >-
  calling contexts of kernels, scope execution (they do not nest), by kernel name; the first 30
  by samples
needs: [kernel_time, pc_samples, stalled_samples, samples_taken]
source: measures stalled_samples:*
empty: the profile holds no PC samples
columns:
  - {name: kernel, title: 'Kernel', unit: text}
  - {name: samples, title: 'Samples', unit: samples}
  - {name: stalled, title: 'Stalled samples', unit: ratio}
  - {name: dominant, title: 'Main reason', unit: text}
  - {name: dominant_share, title: 'Its share of stalls', unit: ratio}
  - {name: gmem, title: 'Global memory', unit: ratio}
  - {name: cmem, title: 'Constant memory', unit: ratio}
  - {name: tmem, title: 'Texture memory', unit: ratio}
  - {name: idep, title: 'Instruction dependency', unit: ratio}
  - {name: ifet, title: 'Instruction fetch', unit: ratio}
  - {name: sync, title: 'Synchronisation', unit: ratio}
  - {name: pipe, title: 'Pipeline busy', unit: ratio}
  - {name: mthr, title: 'Memory throttle', unit: ratio}
  - {name: nsel, title: 'Not selected', unit: ratio}
  - {name: slp, title: 'Sleeping', unit: ratio}
  - {name: othr, title: 'Other', unit: ratio}
  - {name: file, title: 'File', unit: text}
  - {name: line, title: 'Line', unit: id}
  - {name: module, title: 'Module', unit: text}
---*/
WITH sampled AS (
    SELECT kernel_contexts.kernel, kernel_contexts.short, cost.name, sum(cost.value) AS value
    FROM kernel_context AS kernel_contexts
    JOIN cost ON cost.context = kernel_contexts.context
    WHERE cost.scope = 'execution' AND regexp_matches(cost.name, '^(pc|stalled)_samples')
    GROUP BY ALL
),
largest AS (
    SELECT kernel_contexts.kernel, first(cost.context ORDER BY cost.value DESC, cost.context) AS context
    FROM kernel_context AS kernel_contexts
    JOIN cost ON cost.context = kernel_contexts.context
    WHERE cost.scope = 'execution' AND cost.name = 'pc_samples'
    GROUP BY kernel_contexts.kernel
),
stalls AS (
    SELECT kernel, any_value(short) AS short,
        sum(value) FILTER (WHERE name = 'pc_samples') AS samples,
        sum(value) FILTER (WHERE name = 'stalled_samples') AS stalled
    FROM sampled
    GROUP BY kernel
),
reasons AS (
    SELECT sampled.kernel,
        arg_max(stall_reason.words, (sampled.value, code)) AS dominant, max(sampled.value) AS dominant_samples,
        coalesce(sum(sampled.value) FILTER (WHERE code = 'GMEM'), 0) AS gmem,
        coalesce(sum(sampled.value) FILTER (WHERE code = 'CMEM'), 0) AS cmem,
        coalesce(sum(sampled.value) FILTER (WHERE code = 'TMEM'), 0) AS tmem,
        coalesce(sum(sampled.value) FILTER (WHERE code = 'IDEP'), 0) AS idep,
        coalesce(sum(sampled.value) FILTER (WHERE code = 'IFET'), 0) AS ifet,
        coalesce(sum(sampled.value) FILTER (WHERE code = 'SYNC'), 0) AS sync,
        coalesce(sum(sampled.value) FILTER (WHERE code = 'PIPE'), 0) AS pipe,
        coalesce(sum(sampled.value) FILTER (WHERE code = 'MTHR'), 0) AS mthr,
        coalesce(sum(sampled.value) FILTER (WHERE code = 'NSEL'), 0) AS nsel,
        coalesce(sum(sampled.value) FILTER (WHERE code = 'SLP'), 0) AS slp,
        coalesce(sum(sampled.value) FILTER (WHERE code = 'OTHR'), 0) AS othr
    FROM sampled
    JOIN stall_reason ON sampled.name = 'stalled_samples:' || stall_reason.code
    GROUP BY sampled.kernel
)
SELECT stalls.short AS kernel, stalls.samples / sample_period() AS samples,
    coalesce(stalls.stalled, 0) / stalls.samples AS stalled,
    reasons.dominant, reasons.dominant_samples / stalls.stalled AS dominant_share,
    reasons.gmem / stalls.stalled AS gmem,
    reasons.cmem / stalls.stalled AS cmem,
    reasons.tmem / stalls.stalled AS tmem,
    reasons.idep / stalls.stalled AS idep,
    reasons.ifet / stalls.stalled AS ifet,
    reasons.sync / stalls.stalled AS sync,
    reasons.pipe / stalls.stalled AS pipe,
    reasons.mthr / stalls.stalled AS mthr,
    reasons.nsel / stalls.stalled AS nsel,
    reasons.slp / stalls.stalled AS slp,
    reasons.othr / stalls.stalled AS othr,
    place.file, place.line, place.module
FROM stalls
LEFT JOIN reasons ON reasons.kernel = stalls.kernel
LEFT JOIN largest ON largest.kernel = stalls.kernel
LEFT JOIN source_place AS place ON place.context = largest.context
WHERE stalls.samples > 0
ORDER BY stalls.samples DESC, stalls.kernel
LIMIT 30
