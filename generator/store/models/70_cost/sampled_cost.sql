/*---
about: >-
  Elapsed time charged to each CPU thread's frames that have samples, with their number, the punctual distance
  of the thread's samples of that role (punctual_distances; NULL where they are few) and the variance of their
  distances [s].
---*/
WITH sample AS MATERIALIZED (
    SELECT sample.profile, sample.frame, sample.role, sample.distance / 1e9 AS distance, value.value AS spent
    FROM elapsed_samples AS sample
    JOIN metric ON metric.measure = 'elapsed_time' AND metric.scope = 'function' AND metric.statistic IS NULL
    JOIN value ON value.profile = sample.profile AND value.context = sample.frame AND value.metric = metric.id
)
SELECT sampled.profile, sampled.frame, sampled.role, sampled.samples, sampled.spent, punctual.distance / 1e9 AS punctual, spread.variance
FROM (SELECT profile, frame, role, spent, count(*) AS samples FROM sample GROUP BY ALL) AS sampled
JOIN (SELECT profile, role, var_samp(distance) AS variance FROM sample WHERE distance > 0 GROUP BY profile, role) AS spread
    ON spread.profile = sampled.profile AND spread.role = sampled.role
LEFT JOIN punctual_distances AS punctual ON punctual.profile = sampled.profile AND punctual.role = sampled.role
