/*---
about: >-
  Samples by CPU thread and context: how many, how many have a duration (held), how long the thread ran from
  these on (ran) and did not before them (waited), by recorded_line.longest; how many have a distance (later), the
  sum of the distances, of their squares, and the longest [ns].
held: true
---*/
SELECT sample.profile, sample.context, count(*) AS samples,
    count(*) FILTER (WHERE duration > 0) AS held,
    CAST(sum(least(line.longest, stay)) FILTER (WHERE duration > 0) AS BIGINT) AS ran,
    CAST(sum(greatest(idle, distance - line.longest)) FILTER (WHERE duration > 0) AS BIGINT) AS waited,
    count(*) FILTER (WHERE distance > 0) AS later, CAST(sum(distance) AS BIGINT) AS distance,
    sum(CAST(distance AS HUGEINT) * distance) AS squares, max(distance) AS longest
FROM host_sample AS sample JOIN recorded_line AS line ON line.profile = sample.profile GROUP BY sample.profile, sample.context
