/*---
about: >-
  The line that calls what has a key, where one line has half of its whole cost or more (source_place), by the
  20 costliest of its calling contexts: costs lists structs of key, frame, cost and whole.
given: [costs]
---*/
WITH largest AS (
    SELECT each.key, each.frame, each.cost, each.whole
    FROM unnest(costs) AS spent(each) QUALIFY row_number() OVER (PARTITION BY each.key ORDER BY each.cost DESC, each.frame) <= 20
)
SELECT largest.key, known.file, known.line
FROM largest JOIN source_place AS known ON known.context = largest.frame
WHERE known.file IS NOT NULL
GROUP BY largest.key, known.file, known.line HAVING sum(largest.cost) >= 0.5 * any_value(largest.whole)
QUALIFY row_number() OVER (PARTITION BY largest.key ORDER BY sum(largest.cost) DESC, known.file, known.line) = 1
