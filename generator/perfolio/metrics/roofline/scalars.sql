/*---
defaults:
  unit: ratio
  better: higher
  needs: [counters, counted_operations, hardware]
---*/

/*---
name: counted_share
title: Kernel time that was counted
definition: >-
  Share of the traced kernels' time in kernels whose name and number of blocks were also counted by a profiler of kernels.
population: kernels of the trace
needs: [counters, gpu_trace]
source: traces, and counters of Nsight Compute or rocprofiler-compute
caveat: Kernels of equal name and grid may differ in their arguments.
---*/
SELECT coalesce(sum(ran.duration) FILTER (WHERE counted.short IS NOT NULL), 0) / nullif(sum(ran.duration), 0) AS value, count(*) AS n
FROM gpu_operation AS ran
JOIN context_name ON context_name.context = ran.context
LEFT JOIN (SELECT DISTINCT short, blocks FROM kernel_roof) AS counted
    ON counted.short = split_part(short_name(context_name.name), '::', -1) AND counted.blocks = ran.blocks
WHERE ran.operation = 'kernel'
HAVING sum(ran.duration) > 0

/*---
name: flop
title: Operations counted
unit: FLOP
better: neither
definition: >-
  Floating-point operations of all counted launches, of the vector units and of tensor cores together; a fused multiply-add counts two.
population: launches that were counted
needs: [counters, counted_operations]
source: counters of Nsight Compute or rocprofiler-compute
caveat: What ran, and not what the model needs; what was recomputed is in it. Of launches without counters of tensor cores it is not known.
empty: no launch was counted with all of its operations
---*/
SELECT sum(flop) AS value, count(flop) AS n FROM counted_launch HAVING count(flop) > 0

/*---
name: memory_share
title: Time of kernels that memory bounds
better: neither
definition: >-
  Share of the counted kernels' time in kernels that would spend more time on their bytes at memory's peak rate than on their operations at
  the peak of the units that they use.
population: counted kernels with operations and bytes
source: the roofline model; counters of Nsight Compute or rocprofiler-compute; peaks of the table hardware
caveat: Which side of the ridge a kernel is on says what would bound it, not that it reaches that bound.
empty: no kernel was counted with both operations and bytes, or the hardware has no peaks
---*/
SELECT coalesce(sum(seconds * counted) FILTER (WHERE side = 'memory'), 0) / nullif(sum(seconds * counted), 0) AS value, sum(counted) AS n
FROM kernel_roof WHERE side IS NOT NULL AND least > 0 AND seconds > 0

/*---
name: moving_least_share
title: Memory-bound kernels, at memory's rate
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

/*---
name: share
title: Share of the roof
definition: >-
  The least time in which the device's ceilings allow what the counted kernels do, over the time that they took: of each kernel the
  longest of its bytes over memory's rate and of each unit's operations over its rate.
population: counted kernels with operations and bytes, each weighted by its time
source: the roofline model of Williams, Waterman and Patterson (2009); counters of Nsight Compute or rocprofiler-compute; peaks of the table hardware
caveat: A bound for the kernels as they are, at nominal peaks; fewer bytes or operations by another algorithm are not in it.
empty: no kernel was counted with both operations and bytes, or the hardware has no peaks
---*/
SELECT sum(least * counted) / nullif(sum(seconds * counted), 0) AS value, sum(counted) AS n
FROM kernel_roof WHERE flop IS NOT NULL AND dram IS NOT NULL AND least > 0 AND seconds > 0
