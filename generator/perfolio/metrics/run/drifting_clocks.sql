/*---
title: Clocks that drift
unit: count
better: lower
definition: >-
  Clocks of which no one offset agrees with launches, waits and collectives (run.clocks): figures that compare their times with
  others are not measured.
population: clocks of GPUs against their host's, and of hosts against that of the first rank
needs: [gpu_trace]
source: begin and end of calls, operations and collectives
---*/
SELECT count(*) AS value FROM clock WHERE NOT is_constant
