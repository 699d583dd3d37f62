/*---
about: >-
  The rows of fed_samples, but where drops_samples each stands for the time since the thread's last sample, less
  a period for each sample of another thread in it [ns].
---*/
WITH drops AS MATERIALIZED (SELECT drops_samples() AS drops),
placed AS (
    SELECT *, row_number() OVER (PARTITION BY device ORDER BY taken, profile) AS place
    FROM fed_samples WHERE (SELECT drops FROM drops)
)
FROM fed_samples WHERE NOT (SELECT drops FROM drops)
UNION ALL
SELECT device, profile, context, taken, start, stop, CASE WHEN start = taken THEN greatest(taken - before - others * stands, stands) ELSE stands END
FROM (
    SELECT *, lag(taken) OVER line AS before, place - lag(place) OVER line - 1 AS others
    FROM placed
    WINDOW line AS (PARTITION BY device, profile ORDER BY place)
)
