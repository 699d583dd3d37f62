/*---
title: Offset of clocks that was taken off
unit: s
better: lower
definition: >-
  The largest offset that was taken off times of the run, of a GPU's clock against its host's or of a host's against that
  of the first rank (run.clocks); 0 where all clocks agree.
population: clocks that are off by a constant time
needs: [gpu_trace]
source: begin and end of calls, operations and collectives
---*/
SELECT coalesce(max(abs("offset")), 0) / 1e9 AS value FROM clock
