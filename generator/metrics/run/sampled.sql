/*---
title: Whether threads of the host were sampled
unit: "1"
better: neither
definition: 1 where the run holds samples of host threads; 0 where it holds begins and ends, or nothing of the host.
population: trace lines of the host
needs: []
source: the run's tables
---*/
SELECT CAST(EXISTS (FROM trace_line WHERE clock IN ('running', 'elapsed') AND active > 0) AS DOUBLE) AS value
