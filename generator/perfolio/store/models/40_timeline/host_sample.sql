/*---
about: >-
  Samples of CPU threads, by thread in order of time, from points that run: how long until the next point
  (duration; NULL of a thread's last) and whether that runs too (again); by the running clock also over an idle
  between, to the point after that (stay); the time since the thread's sample before, NULL of its first
  (distance), and what of it is after that one's stay (idle) [ns].
held: true
---*/
-- lead() and lag() OVER () go along the table, which holds each line in order of time, and sort nothing.
-- Should the next row not begin where this one ends, it is taken for no neighbour.
SELECT profile, context, taken, duration, stay, again, distance, distance - stay_before AS idle
FROM (
    SELECT *, lag(stay) OVER () AS stay_before,
        CASE WHEN lag(profile) OVER () = profile THEN taken - lag(taken) OVER () END AS distance
    FROM (
        SELECT profile, context, taken, duration, coalesce("after" <> 0, false) AS again,
            CASE WHEN "after" = 0 AND cpu_clock() = 'running' THEN duration + coalesce(after_duration, 0)
                ELSE duration END AS stay
        FROM (
            SELECT profile, context, CAST("time" AS BIGINT) AS taken, CAST(duration AS BIGINT) AS duration,
                CASE WHEN lead(profile) OVER () = profile AND lead("time") OVER () = "time" + duration
                    THEN lead(context) OVER () END AS "after",
                CAST(lead(duration) OVER () AS BIGINT) AS after_duration
            FROM trace WHERE profile IN (SELECT "index" FROM profile WHERE kind <> 'GPU stream')
        )
        WHERE context <> 0
    )
)
