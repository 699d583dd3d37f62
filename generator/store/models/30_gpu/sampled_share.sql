/*---
about: >-
  Share of two totals of PC samples with its 95 % interval; n is independent samples (samples_at_once).
given: [part, whole]
---*/
SELECT part_total / nullif(whole_total, 0) AS value,
    binomial_low(part_total / per_one, whole_total / per_one) AS low,
    binomial_high(part_total / per_one, whole_total / per_one) AS high,
    whole_total / per_one AS n
FROM (
    SELECT total_of(part) AS part_total, total_of(whole) AS whole_total, sample_period() * samples_at_once() AS per_one
)
