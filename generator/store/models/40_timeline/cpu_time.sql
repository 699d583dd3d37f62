/*---
about: >-
  Time that CPU threads ran by calling context, from the trace. A thread runs from a sample on for
  trace_line.longest at most, and before it where it is a long_sample: see cpu_interval.
when: trace
columns:
  profile: INTEGER; CPU thread, index in table profile [id]
  context: UINTEGER; Calling context [id]
  duration: BIGINT; Time [ns]
---*/
SELECT profile, context, CAST(sum(stop - start) AS BIGINT)
FROM cpu_interval
GROUP BY profile, context
