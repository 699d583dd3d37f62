/*---
defaults:
  unit: ratio
  better: lower
  population: >-
    GPU operations of all streams of each rank with kernels in the steady state: iterations after the warm-up, or
    the GPU span where no iterations were found
  needs: [gpu_trace, ranks]
  caveat: >-
    Known by names of kernels, what the tool recorded of them and what launched them (kernel_class). HPCToolkit does not see kernels launched by
    cudaLaunchKernelExC, as NCCL does from compute capability 9 on: there, a lower bound. A
    collective also runs while it waits for a rank that is late.
  empty: >-
    no kernel that communicates was seen in the steady state of a rank
---*/

/*---
name: clock_offset
title: Clocks of ranks, apart as recorded
unit: s
definition: >-
  All-reduces end on all ranks at nearly the same moment. Each rank's is compared with the median of all ranks, and the
  median of that over all-reduces is how far its clock is off; the difference between the ranks that are furthest apart, in
  times as recorded. What was taken off them (table clock) is in it.
population: kernels of all-reduces (kernel_class) on two ranks or more that have equally many of them
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

/*---
name: exposed_everywhere
title: Least exposed communication of a rank
unit: s
definition: >-
  Least exposed communication of a rank in the steady state: the most that the run could save if
  all communication there ran beside other kernels.
needs: [gpu_trace]
source: communication.exposed_share, the minimum over ranks
---*/
SELECT min(exposed) / 1e9 AS value, count(*) AS n
FROM collectives_by_rank
WHERE phase = 'steady state'
HAVING count(*) > 0

/*---
name: exposed_everywhere_share
title: Least exposed communication, share of the steady state
definition: >-
  Time of the steady state in which a collective operation ran on a rank's GPUs and no other kernel
  did, over all of the steady state, on the rank with the least of it: that rank waits least for
  others. The mean over ranks is communication.exposed_share. Of one rank alone that was recorded, what it waits for others is part of it.
needs: [gpu_trace]
source: exposed communication as in TraceLens, of steps, the minimum over ranks
---*/
SELECT min(exposed) / nullif(any_value(length), 0) AS value, count(*) AS n
FROM collectives_by_rank
WHERE phase = 'steady state'
HAVING count(*) > 0

/*---
name: exposed_share
title: Exposed communication, mean of ranks, share of the steady state
definition: >-
  Mean over ranks with kernels of the time in which a collective operation ran on the rank's GPUs and no other
  kernel did, over the time of the steady state. Waits for a late rank are part of it.
  In the parts of the wall time (time.wall_parts) the warm-up has its own as well, and the whole is the wall time.
needs: [gpu_trace]
source: exposed communication as in TraceLens, of steps
---*/
SELECT avg(exposed) / nullif(any_value(length), 0) AS value, count(*) AS n
FROM collectives_by_rank
WHERE phase = 'steady state'
HAVING count(*) > 0

/*---
name: late_by
title: Delay of the slowest rank against the median of the others
unit: s
definition: >-
  Time in which the rank with the least time in collectives ran other kernels beyond the median of
  the other ranks, and likewise the time in which it ran no kernel, but no more than the median of
  the others is longer in collectives: what the others wait for, and the most that the run could
  gain if that rank were as fast as the median of the others.
population: >-
  GPU operations of all streams of each rank in the steady state: iterations after the warm-up, or
  the GPU span where no iterations were found
source: communication.by_rank
empty: >-
  no kernel that communicates was seen in the steady state of two ranks or more
caveat: null
---*/
SELECT delay / 1e9 AS value, n FROM late_rank WHERE n > 0

/*---
name: late_share
title: Wait for the slowest rank, share of the steady state
definition: >-
  Delay of the rank with the least time in collectives against the median of the others, over the time of the steady
  state: what the others wait for it, and the most that the steady state could gain if it were as fast as their median.
population: >-
  GPU operations of all streams of each rank in the steady state: iterations after the warm-up, or
  the GPU span where no iterations were found
source: communication.late_by
empty: >-
  no kernel that communicates was seen in the steady state of two ranks or more
caveat: null
---*/
SELECT delay / nullif(length, 0) AS value, n FROM late_rank WHERE n > 0

/*---
name: overlap_share
title: Communication beside computation
better: higher
definition: >-
  Share of the time of collective operations in which another kernel ran on the same rank, on the
  rank with the least time in them, which waits least.
needs: [gpu_trace]
source: overlap of communication as in TraceLens
---*/
SELECT 1 - exposed / nullif(busy, 0) AS value
FROM late_rank

/*---
name: straggler_wait
title: Collectives waiting for the slowest rank, mean of ranks, share of the steady state
definition: >-
  Mean over ranks with kernels of the time in collective operations beyond that of the rank with the least, over
  the time of the steady state. The rank that spends least in collectives is the one that the
  others wait for. Part of the wait may run beside other kernels, where it costs nothing.
source: the straggler wait of TraceLens (duration - minimum over ranks), over the steady state
empty: >-
  no kernel that communicates was seen in the steady state of two ranks or more
---*/
SELECT (avg(busy) - min(busy)) / nullif(any_value(length), 0) AS value, count(*) AS n
FROM collectives_by_rank
WHERE phase = 'steady state'
HAVING count(*) > 1

/*---
name: warm_up_exposed
title: Exposed communication of the warm-up
unit: s
definition: >-
  Mean over ranks of the time in iterations of the warm-up in which a collective operation ran on
  the rank's GPUs and no other kernel did. Most of it is waiting for the rank that starts last; no
  other figure of communication contains it.
population: GPU operations of all streams of each rank, from its first iteration to the end of the warm-up
needs: [gpu_trace, iterations]
source: as communication.exposed_share
empty: no kernel that communicates was seen in a warm-up of a rank
---*/
SELECT avg(exposed) / 1e9 AS value, count(*) AS n
FROM collectives_by_rank
WHERE phase = 'warm-up'
HAVING count(*) > 0

/*---
name: warm_up_wait_share
title: Waiting for another rank in the warm-up, share of wall time
definition: >-
  Mean over ranks of the time in iterations of the warm-up in which a collective operation ran on the rank's
  GPUs and no other kernel did, less that of the rank with the least of it, over the wall time: the others wait for
  that rank. They do so in a kernel, so that this is no idle time of a GPU.
population: GPU operations of all streams of each rank, from its first iteration to the end of the warm-up
needs: [cpu_trace, gpu_trace, ranks, iterations]
source: as communication.straggler_wait
caveat: >-
  Known by names of kernels, what the tool recorded of them and what launched them (kernel_class). HPCToolkit does not see kernels launched by
  cudaLaunchKernelExC, as NCCL does from compute capability 9 on: there, a lower bound.
empty: no kernel that communicates was seen in a warm-up of two ranks or more
---*/
SELECT (avg(exposed) - min(exposed)) / (SELECT nullif(stop - start, 0) FROM cpu_trace_span) AS value, count(*) AS n
FROM collectives_by_rank
WHERE phase = 'warm-up'
HAVING count(*) > 1
