/*---
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
