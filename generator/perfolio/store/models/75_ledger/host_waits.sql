/*---
about: >-
  Time of each host thread in calls in which it waits for a GPU (blocking_calls), by the period of the run in which it
  passes (see idle_periods). Calls within another one count once [ns].
when: FROM host_call
---*/
WITH call AS (
    SELECT profile, start, stop FROM blocking_calls WHERE waits
    QUALIFY coalesce(max(stop) OVER (
        PARTITION BY profile ORDER BY start, stop DESC, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ) <= start, true)
),
period AS (
    SELECT period, coalesce(start, -9223372036854775807) AS start, lead(start, 1, 9223372036854775807) OVER (ORDER BY start NULLS FIRST) AS stop
    FROM idle_periods
)
SELECT coalesce(profile.rank, 0) AS rank, call.profile, period.period,
    CAST(sum(least(call.stop, period.stop) - greatest(call.start, period.start)) AS BIGINT) AS ns
FROM call
JOIN period ON period.start < call.stop AND period.stop > call.start
JOIN profile ON profile."index" = call.profile
GROUP BY ALL
