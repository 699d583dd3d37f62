/*---
about: >-
  Contexts of GPU operations that run in each iteration, before and after the middle one of all operations: how
  often in each, and when first. The number of iterations N is the smallest from 5 on such that contexts that
  occur a multiple of N times hold 90 % of the operations of the busiest stream (launched_operations) and one context in
  twenty occurs exactly N times.
---*/
WITH middle AS (
    SELECT quantile_disc(start, 0.5) AS start FROM launched_operations
),
seen AS (
    SELECT ran.context, count(*) AS occurrences, min(ran.start) AS first,
        min(ran.start) <= any_value(middle.start) AND max(ran.start) >= any_value(middle.start) AS throughout
    FROM launched_operations AS ran CROSS JOIN middle GROUP BY ran.context
),
candidate AS (
    SELECT number.occurrences AS number,
        sum(seen.occurrences) FILTER (WHERE seen.occurrences % number.occurrences = 0) / sum(seen.occurrences) AS covered,
        count(*) FILTER (WHERE seen.throughout AND seen.occurrences = number.occurrences) / count(*) AS contexts
    FROM (SELECT DISTINCT occurrences FROM seen WHERE throughout AND occurrences >= 5) AS number CROSS JOIN seen
    GROUP BY number.occurrences
)
SELECT seen.context, seen.occurrences // iterations.number AS every, seen.first
FROM seen
CROSS JOIN (SELECT min(number) AS number FROM candidate WHERE covered >= 0.9 AND contexts >= 0.05) AS iterations
WHERE seen.throughout AND seen.occurrences % iterations.number = 0
