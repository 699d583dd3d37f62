/*---
title: Wall time
unit: s
better: lower
definition: >-
  From the first moment that was recorded of any CPU thread or GPU stream to the last one.
population: >-
  all trace lines of all profiles
needs: [cpu_trace]
source: traces
caveat: >-
  The time before the first and after the last sample is not in it.
---*/
SELECT (stop - start) / 1e9 AS value FROM cpu_trace_span
