/*---
about: >-
  How long a run took at least: the time of its busiest thread, or the traced wall time where that is longer;
  NULL where neither is known [s].
value: true
---*/
SELECT max(value)
FROM (
    SELECT profile_total.value
    FROM profile_total JOIN profile ON profile."index" = profile_total.profile AND profile.kind = 'CPU thread'
    WHERE profile_total.name IN ('cpu_time', 'elapsed_time')
    UNION ALL
    SELECT (stop - start) / 1e9 FROM cpu_trace_span
)
