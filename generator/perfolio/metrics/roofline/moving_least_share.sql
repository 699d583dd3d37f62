/*---
title: Kernels that mostly move values, at memory's rate
unit: ratio
better: higher
definition: >-
  Of element-wise kernels, casts and copies, norms, softmax and reductions that were counted: the time that their bytes of device memory
  take at memory's peak rate, over the time that they took. Fewer bytes, by fusing them, save what is below; better kernels save the rest
  at most.
population: counted kernels of these classes with bytes, each weighted by its time
needs: [counters, hardware]
source: counters of Nsight Compute; memory's rate of the table hardware; names of kernels, in the store's table kernel_pattern
caveat: Bytes as counted, not each value once. Counts are of another execution of the program.
empty: no kernel of these classes was counted with its bytes, or memory's rate is not known
---*/
WITH told AS (
    SELECT DISTINCT split_part(short_name(context_name.name), '::', -1) AS short, kind.moves
    FROM kernel_class AS kind JOIN context_name ON context_name.context = kind.context
)
SELECT least(sum(roof.dram * roof.counted) / memory.rate / nullif(sum(roof.seconds * roof.counted), 0), 1) AS value, sum(roof.counted) AS n
FROM kernel_roof AS roof
JOIN (SELECT short FROM told GROUP BY short HAVING bool_and(moves)) AS kind ON kind.short = roof.short
JOIN (FROM roof_ceiling WHERE unit = 'memory') AS memory ON true
WHERE roof.dram > 0 AND roof.seconds > 0
GROUP BY memory.rate
