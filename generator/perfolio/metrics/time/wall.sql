/*---
title: Wall time
unit: s
better: lower
definition: >-
  From the first moment of any CPU thread or GPU stream to the last one: of what was recorded of them, and of a process
  with such records also when its threads got or lost a core, were sampled or called the operating system, where that is told.
population: >-
  all trace lines of all profiles
needs: [cpu_trace]
source: traces
caveat: >-
  The time before the first and after the last of these moments is not in it, nor are single events far from all others.
---*/
SELECT (stop - start) / 1e9 AS value FROM cpu_trace_span
