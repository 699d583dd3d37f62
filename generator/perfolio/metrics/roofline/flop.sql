/*---
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
