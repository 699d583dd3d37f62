/*---
about: >-
  How long each CPU thread ran: its CPU time where it was sampled by that and the profile tells it, as the trace
  may lack samples, but no longer than the run; else by the trace [ns].
---*/
SELECT line.profile, CAST(least(
    greatest(coalesce(spent.busy, 0), CASE WHEN line.clock = 'running' THEN coalesce(recorded.value, 0) * 1e9 ELSE 0 END),
    greatest(span.stop - span.start, coalesce(spent.busy, 0))
) AS BIGINT) AS running
FROM trace_line AS line
JOIN cpu_trace_span AS span ON true
LEFT JOIN (SELECT profile, sum(duration) AS busy FROM cpu_time GROUP BY profile) AS spent ON spent.profile = line.profile
LEFT JOIN profile_total AS recorded
    ON recorded.profile = line.profile AND recorded.name = 'cpu_time'
WHERE line.kind = 'CPU thread'
