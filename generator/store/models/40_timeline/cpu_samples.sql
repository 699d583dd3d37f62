/*---
about: >-
  Points of trace lines that run, those of GPU streams as well: time to the next point (duration) and, over an
  idle between, to the one after that (room) [ns]; whether the next point runs too (again).
---*/
-- lead() OVER () goes along the table, which holds each line in order of time, and sorts nothing.
-- Should the next row not begin where this one ends, it is taken for no neighbour.
SELECT profile, context, start, duration,
    CASE WHEN after = 0 THEN duration + coalesce(after_duration, 0) ELSE duration END AS room,
    coalesce(after <> 0, false) AS again
FROM (
    SELECT profile, context, CAST("time" AS BIGINT) AS start, CAST(duration AS BIGINT) AS duration,
        CASE WHEN lead(profile) OVER () = profile AND lead("time") OVER () = "time" + duration THEN lead(context) OVER () END AS after,
        CAST(lead(duration) OVER () AS BIGINT) AS after_duration
    FROM trace
)
WHERE context <> 0 AND duration > 0
