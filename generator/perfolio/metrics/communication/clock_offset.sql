/*---
title: Clocks of ranks, apart as recorded
unit: s
better: lower
definition: >-
  All-reduces end on all ranks at nearly the same moment. Each rank's is compared with the median of all ranks, and the
  median of that over all-reduces is how far its clock is off; the difference between the ranks that are furthest apart, in
  times as recorded. What was taken off them (table clock) is in it.
population: kernels of all-reduces (kernel_class) on two ranks or more that have equally many of them
needs: [gpu_trace, ranks]
source: ends of kernels; names of kernels
caveat: >-
  Times are corrected where collectives would else end before their last rank has come, and one offset agrees with all of
  them. Less than that is left as it is: what compares moments of ranks, such as who is late, is uncertain by as much.
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
of_rank AS (
    SELECT ended.rank, median(ended.stop - usual.stop) + coalesce(any_value(off."offset"), 0) AS apart, any_value(ended.number) AS number
    FROM ended JOIN usual ON usual.place = ended.place
    LEFT JOIN clock AS off ON off.gpu IS NULL AND off.rank = ended.rank AND off.node IS NOT DISTINCT FROM ended.node
    GROUP BY ended.node, ended.rank
)
SELECT (max(apart) - min(apart)) / 1e9 AS value, min(number) AS n FROM of_rank HAVING count(*) > 1 AND min(number) = max(number)
