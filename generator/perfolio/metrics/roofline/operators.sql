/*---
title: Operators against the roofline, by sizes
better: neither
definition: >-
  Operators by the sizes of their arguments: what a call does, computed, as operations and bytes (each tensor once, and most where nothing
  is kept), the range of its arithmetic intensity, the rate that its GPU operations reached, and its share of the roof for the fewest
  bytes. What the most bytes would take at the roof is a factor of its time. Beside them the bytes of a call as counted, where its
  kernels were counted and all launches of their names and grids moved alike. An element-wise operator counts one
  operation for each value.
population: operators of PyTorch with recorded sizes that launched GPU operations; the first 60 by their time
needs: [shapes, gpu_trace, hardware]
source: sizes and types of arguments; the formulas of PyTorch's FlopCounterMode; the roofline model; peaks of the table hardware
caveat: >-
  Computed, not measured. Causal attention counts without the scores that its mask leaves out, where the trace tells that it is causal;
  kernels compute a few of them.
  A factor above 1 for the most bytes says that caches served some of them. FP32 products may run
  as TF32 and then pass the FP32 roof.
empty: no operator with recorded sizes launched a GPU operation
columns:
  - {name: operator, title: 'Operator', unit: text}
  - {name: sizes, title: 'Sizes', unit: text}
  - {name: kind, title: 'Kind', unit: text}
  - {name: calls, title: 'Calls', unit: count}
  - {name: seconds, title: 'Time of a call', unit: s}
  - {name: total, title: 'Time of all', unit: s}
  - {name: flop, title: 'Operations', unit: FLOP}
  - {name: least, title: 'Bytes, each tensor once', unit: B}
  - {name: most, title: 'Bytes at most', unit: B}
  - {name: counted, title: 'Bytes counted', unit: B}
  - {name: low, title: 'Intensity at least', unit: FLOP/B}
  - {name: high, title: 'Intensity at most', unit: FLOP/B}
  - {name: rate, title: 'Rate', unit: FLOP/s}
  - {name: precision, title: 'Precision', unit: text}
  - {name: side, title: 'Bound by', unit: text}
  - {name: share, title: 'Share of the roof, fewest bytes', unit: ratio}
  - {name: roof_most, title: 'Most bytes at the roof, over its time', unit: x}
---*/
WITH launched AS (
    -- What a product launches is its own, also where that copies or fills a tensor on the way.
    SELECT if(call.start < product.stop, product.id, other.id) AS id, sum(ran.duration) / 1e9 AS seconds, sum(roof.dram) AS dram,
        bool_and(coalesce(roof.alike, false)) AS whole
    FROM gpu_operation AS ran
    JOIN host_call AS call ON call.id = ran.call
    ASOF LEFT JOIN (FROM sized_operator WHERE kind <> 'element-wise') AS product ON product.profile = call.profile AND product.start <= call.start
    ASOF LEFT JOIN (FROM sized_operator WHERE kind = 'element-wise') AS other ON other.profile = call.profile AND other.start <= call.start
    JOIN context_name ON context_name.context = ran.context
    LEFT JOIN kernel_roof AS roof ON roof.short = split_part(short_name(context_name.name), '::', -1) AND roof.blocks = ran.blocks
    WHERE call.start < product.stop OR call.start < other.stop
    GROUP BY ALL
),
summed AS (
    SELECT own.name, own.shapes, any_value(own.kind) AS kind, any_value(own.precision) AS precision, count(*) AS calls,
        sum(launched.seconds) AS total,
        avg(CASE WHEN own.kind = 'element-wise' AND NOT regexp_matches(own.name, 'copy_|fill_|zero_') THEN own.outputs
            ELSE own.done END) AS flop,
        avg(own.least) AS least, avg(own.most) AS most, CASE WHEN bool_and(launched.whole) THEN avg(launched.dram) END AS counted
    FROM sized_operator AS own JOIN launched ON launched.id = own.id
    GROUP BY own.name, own.shapes
),
bounded AS (
    SELECT summed.*, total / calls AS seconds, flop / nullif(roof.rate, 0) AS arithmetic, least / memory.rate AS fewest, most / memory.rate AS longest
    FROM summed
    CROSS JOIN (FROM roof_ceiling WHERE unit = 'memory') AS memory
    LEFT JOIN roof_ceiling AS roof ON roof.name = if(summed.kind = 'element-wise', 'FP32', summed.precision)
)
SELECT name AS operator, left(shapes, 200) AS sizes, kind, CAST(calls AS BIGINT) AS calls, seconds, total, nullif(flop, 0) AS flop, least, most,
    counted,
    nullif(flop, 0) / nullif(most, 0) AS low, nullif(flop, 0) / nullif(least, 0) AS high, nullif(flop, 0) / seconds AS rate, precision,
    CASE WHEN fewest >= coalesce(arithmetic, 0) THEN 'memory' WHEN longest <= arithmetic THEN 'arithmetic' ELSE 'caches decide' END AS side,
    greatest(coalesce(arithmetic, 0), fewest) / seconds AS share, greatest(coalesce(arithmetic, 0), longest) / seconds AS roof_most
FROM bounded WHERE seconds > 0
ORDER BY total DESC, operator, sizes
LIMIT 60
