/*---
about: >-
  A time metric of the profile that has most of it, as a share of the wall time of the trace; no row without
  one.
given: [metric_name]
---*/
SELECT coalesce(max(profile_total.value) FILTER (WHERE profile_total.name = metric_name), 0)
    / nullif(any_value(span.stop - span.start) / 1e9, 0) AS value
FROM cpu_trace_span AS span
LEFT JOIN profile_total ON true
HAVING count(*) > 0
