/*---
title: Copies beside no kernel, by place
better: lower
definition: >-
  Calling contexts that copy, by direction, and apart what they copy within iterations and outside: how
  often, also beside kernels, the time in which such a copy runs and no kernel does on the same GPU, and the part of it
  in which the next kernel may wait for the copy: it starts no sooner than the copy ends. Where kernels of a GPU run in
  several streams, all of it may be. Copies that run at once share it. A place runs in each iteration where it copies at
  least 0.9 times as often as there are iterations on all GPUs.
population: >-
  copies of all streams, of several GPUs the mean; iterations of a warm-up included, the first one from its begin on
  each GPU on. The first 20 places with a copy that ran beside no kernel
needs: [gpu_trace]
source: traces
empty: no copy ran beside no kernel
columns:
  - {name: path, title: 'Call path', unit: text}
  - {name: operation, title: 'Operation', unit: text}
  - {name: runs, title: 'Runs', unit: text}
  - {name: copies, title: 'Copies', unit: count}
  - {name: exposed, title: 'Beside no kernel', unit: s}
  - {name: waits, title: 'Kernels may wait', unit: s}
---*/
WITH whole AS (
    SELECT max(stop) AS stop, count(*) AS iterations FROM iteration
),
copy AS MATERIALIZED (
    SELECT ran.operation, gpu_context.launcher, stream.device, ran.start, ran.start + ran.duration AS stop,
        coalesce(ran.start >= first.start AND ran.start < whole.stop, false) AS within
    FROM gpu_operation AS ran
    CROSS JOIN whole
    JOIN gpu_stream AS stream ON stream.profile = ran.profile
    LEFT JOIN first_iteration AS first ON first.device = stream.device
    LEFT JOIN gpu_context ON gpu_context.context = ran.context
    WHERE ran.operation LIKE 'copy%'
),
-- Running sums over the levels with a copy and no kernel alone, in the order of time: each copy begins and ends
-- where a level does, so its part is their difference between the first such level in it and the last one.
level AS MATERIALIZED (
    SELECT device, start, own, waited,
        sum(own) OVER (ROWS UNBOUNDED PRECEDING) AS upto, sum(waited) OVER (ROWS UNBOUNDED PRECEDING) AS waited_upto
    FROM (
        SELECT level.device, level.start, (level.stop - level.start) / level.copies AS own,
            CASE WHEN wait.stop > level.start THEN own ELSE 0 END AS waited
        FROM (SELECT device, start, stop, copies FROM gpu_level WHERE copies > 0 AND kernels = 0) AS level
        ASOF LEFT JOIN copy_waits AS wait ON wait.device = level.device AND wait.start <= level.start
        ORDER BY level.device, level.start
    )
),
beside AS (
    SELECT copy.operation, copy.launcher, copy.within,
        CASE WHEN first.start < copy.stop THEN last.upto - first.upto + first.own ELSE 0 END AS spent,
        CASE WHEN first.start < copy.stop THEN last.waited_upto - first.waited_upto + first.waited ELSE 0 END AS waited
    FROM copy
    ASOF LEFT JOIN level AS first ON first.device = copy.device AND first.start >= copy.start
    ASOF LEFT JOIN level AS last ON last.device = copy.device AND last.start < copy.stop
),
place AS MATERIALIZED (
    SELECT enclosing.frame, beside.operation, beside.within, count(*) AS copies, sum(beside.spent) / gpus() AS spent,
        sum(beside.waited) / gpus() AS waited
    FROM beside
    LEFT JOIN enclosing_frame AS enclosing ON enclosing.context = beside.launcher
    GROUP BY ALL
    HAVING sum(beside.spent) > 0
    ORDER BY spent DESC, enclosing.frame, beside.operation
    LIMIT 20
)
SELECT coalesce(paths.path, 'a context that meta.db does not list') AS path, place.operation,
    CASE WHEN whole.iterations = 0 THEN NULL WHEN NOT place.within THEN 'outside of iterations'
        WHEN place.copies >= 0.9 * whole.iterations * gpus() THEN 'in each iteration' ELSE 'in some iterations' END AS runs,
    place.copies, place.spent / 1e9 AS exposed, place.waited / 1e9 AS waits
FROM place
CROSS JOIN whole
LEFT JOIN call_paths((SELECT list(frame) FROM place)) AS paths ON paths.frame = place.frame
ORDER BY place.spent DESC, place.frame, place.operation
