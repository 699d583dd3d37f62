/*---
title: Ends of collectives, apart between ranks
unit: s
better: lower
definition: >-
  All-reduces end on all ranks at nearly the same moment. Each rank's is compared with the median of all ranks, and the
  median of that over all-reduces is how far its clock is off; the difference between the ranks that are furthest apart.
population: kernels of all-reduces (kernel_class) on two ranks or more that have equally many of them
needs: [gpu_trace, ranks]
source: ends of kernels; names of kernels
caveat: >-
  No time is corrected by it. What compares moments of ranks, such as who is late, is uncertain by as much.
empty: no two ranks have equally many all-reduces
---*/
WITH ended AS (
    SELECT profile.node, profile.rank, ran.start + ran.duration - min(ran.start) OVER () AS stop,
        row_number() OVER (PARTITION BY profile.node, profile.rank ORDER BY ran.start) AS place,
        count(*) OVER (PARTITION BY profile.node, profile.rank) AS number
    FROM gpu_operation AS ran
    JOIN profile ON profile."index" = ran.profile AND profile.rank IS NOT NULL
    JOIN context_name ON context_name.context = ran.context
    JOIN kernel_class AS kind ON kind.context = ran.context AND kind.class = 'collective'
    WHERE ran.operation = 'kernel'
        AND regexp_matches(context_name.name, '(?i)all_?reduce')
),
usual AS (
    SELECT place, median(stop) AS stop FROM ended GROUP BY place
),
clock AS (
    SELECT ended.rank, median(ended.stop - usual.stop) AS apart, any_value(ended.number) AS number
    FROM ended JOIN usual ON usual.place = ended.place GROUP BY ended.node, ended.rank
)
SELECT (max(apart) - min(apart)) / 1e9 AS value, min(number) AS n FROM clock HAVING count(*) > 1 AND min(number) = max(number)
