/*---
name: sampled_contexts
about: >-
  PC samples of calling contexts and of all below them, those of them that were stalled, and how many are
  independent (at_once), each counted as one period of sampling.
---*/
SELECT context,
    sum(value) FILTER (WHERE name = 'pc_samples') AS samples,
    coalesce(sum(value) FILTER (WHERE name = 'stalled_samples'), 0) AS stalled,
    samples / at_once(
        sum(value) FILTER (WHERE name = 'samples_taken'), sum(value) FILTER (WHERE name = 'samples_expected'), multiprocessors()
    ) AS independent
FROM cost
WHERE scope = 'execution' AND name IN ('pc_samples', 'stalled_samples', 'samples_taken', 'samples_expected')
GROUP BY context

/*---
name: sampled_share
about: >-
  Each total of PC samples as a share of all samples and of all stalls (whole), with its 95 % interval; n is
  independent samples (samples_at_once).
---*/
WITH sampled AS (
    SELECT collected.name, coalesce(total.value, 0) AS value
    FROM collected LEFT JOIN total ON total.name = collected.name WHERE regexp_matches(collected.name, '^(pc|stalled)_samples')
)
SELECT part.name AS part, whole.name AS whole, part.value / nullif(whole.value, 0) AS value,
    binomial_low(part.value / per_one, whole.value / per_one) AS low,
    binomial_high(part.value / per_one, whole.value / per_one) AS high,
    whole.value / per_one AS n
FROM sampled AS part
JOIN sampled AS whole ON whole.name IN ('pc_samples', 'stalled_samples')
CROSS JOIN (SELECT sample_period() * samples_at_once() AS per_one)
