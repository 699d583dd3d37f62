/*---
title: Whether threads of the host were sampled
unit: "1"
better: neither
definition: >-
  1 where the run holds samples of host threads, in time order or as totals of calling contexts; 0 where it holds
  begins and ends, or nothing of the host.
population: trace lines of the host; its events where there is none
needs: []
source: the run's tables
---*/
SELECT CAST(
    EXISTS (FROM trace_line WHERE clock IN ('running', 'elapsed') AND active > 0)
    OR (EXISTS (FROM cpu_event) AND NOT EXISTS (FROM host_stay)) AS DOUBLE
) AS value
