/*---
about: >-
  Time of each host thread in calls that wait for a GPU, by the period of the run in which it passes (see idle_periods).
  Calls within one of the same kind count once [ns].
when: FROM host_call
---*/
WITH call AS (
    SELECT told.profile, told.start, told.start + told.duration AS stop
    FROM host_call AS told
    JOIN enclosing_frame AS enclosing ON enclosing.context = told.context
    JOIN frame ON frame.frame = enclosing.frame AND frame.role = 'gpu wait'
    QUALIFY coalesce(max(told.start + told.duration) OVER (
        PARTITION BY told.profile ORDER BY told.start, told.duration DESC, told.id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ) <= told.start, true)
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
