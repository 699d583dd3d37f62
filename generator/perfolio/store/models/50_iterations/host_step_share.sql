/*---
about: >-
  Shares of typical steps that main threads spend in a part (host_step_part), or in several: small operators and what
  lies between. The interval holds 95 % of what means of as many steps would be, by Student's t as of Abramowitz and
  Stegun 26.7.5; there is none of a single step.
when: FROM host_range WHERE kind = 'step'
columns:
  part: VARCHAR; input, optimizer, attention, fusable (other operators and between), or longest (the one of other operators with most) [text]
  value: DOUBLE; Share of all steps [ratio]
  low: DOUBLE; Its lower end [ratio]
  high: DOUBLE; Its upper end [ratio]
  n: BIGINT; Steps [count]
---*/
WITH wanted(part, member) AS (
    VALUES ('input', 'input'), ('optimizer', 'optimizer'), ('attention', 'attention'), ('fusable', 'other operators'),
        ('fusable', 'between'), ('longest', 'longest')),
other AS (FROM host_step_part WHERE part = 'other operators'),
spent AS (
    SELECT profile, start, part, "time" FROM host_step_part UNION ALL SELECT profile, start, 'longest', "time" FROM other
    WHERE name = (SELECT name FROM other GROUP BY name ORDER BY sum("time") DESC, name LIMIT 1)),
share AS (
    SELECT wanted.part, step.profile, step.start, step.stop - step.start AS whole, coalesce(sum(spent."time"), 0) AS "time"
    FROM host_step AS step CROSS JOIN wanted
    LEFT JOIN spent ON spent.profile = step.profile AND spent.start = step.start AND spent.part = wanted.member
    WHERE step.stop > step.start GROUP BY ALL),
found AS (
    SELECT part, sum("time") / sum(whole) AS value, count(*) AS n, count(*) - 1 AS freedom, stddev_samp("time" / whole) / sqrt(n) AS error
    FROM share GROUP BY part
),
ends AS (
    SELECT part, value, n, error * CASE WHEN freedom = 1 THEN 12.706 WHEN freedom > 1 THEN 1.96 + 2.372 / freedom + 2.822 / (freedom * freedom)
        + 2.556 / (freedom * freedom * freedom) END AS half FROM found
)
SELECT part, value, greatest(value - half, 0) AS low, least(value + half, 1) AS high, n FROM ends
