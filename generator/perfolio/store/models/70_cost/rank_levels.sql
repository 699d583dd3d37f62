/*---
about: >-
  How many collective operations and how many other kernels run on the GPUs of a rank, from each begin or end of
  one to the next; and how long others ran before. A rank without kernels has no row [ns].
---*/
WITH change AS (
    SELECT rank, moment, sum(collectives) AS collectives, sum(kernels) AS kernels
    FROM (
        SELECT rank, start AS moment, CAST(is_collective AS INTEGER) AS collectives, CAST(NOT is_collective AS INTEGER) AS kernels FROM rank_kernels
        UNION ALL
        SELECT rank, stop, -CAST(is_collective AS INTEGER), -CAST(NOT is_collective AS INTEGER) FROM rank_kernels
    )
    GROUP BY rank, moment
),
level AS (
    SELECT rank, moment AS start, coalesce(lead(moment) OVER (PARTITION BY rank ORDER BY moment), moment) AS stop,
        sum(collectives) OVER upto AS collectives, sum(kernels) OVER upto AS kernels
    FROM change
    WINDOW upto AS (PARTITION BY rank ORDER BY moment)
)
SELECT rank, start, stop, collectives, kernels,
    coalesce(sum(stop - start) FILTER (WHERE kernels > 0) OVER (
        PARTITION BY rank ORDER BY start ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ), 0) AS before
FROM level
