/*---
name: exposed_copies
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

/*---
name: copy_waits
title: Waits for copies
better: lower
definition: >-
  Time in which a copy runs on a GPU, no kernel does, and the next kernel may wait for the copy: it starts no sooner than
  the copy ends. Apart the gaps of up to 50 µs right after such copies, in which the host goes on that waited for the
  copy, and the gaps of up to 100 µs right before them, in which the host prepares and launches the copy, unless such a
  gap is the one after another copy. Among both those of less than 32 µs (10^4.5 ns), which may as well be the launch of
  any operation, and how much of the copies runs in streams without kernels. Where kernels of a GPU run in several
  streams, every copy beside no kernel counts, and none as apart.
population: >-
  GPU operations of all streams, of several GPUs the mean. In steady iterations, in all iterations, and in the whole run;
  the narrowest first, with shares of its length. The whole run alone where there is no steady iteration
needs: [gpu_trace]
source: traces
caveat: >-
  Which operation waits for which is not recorded: an upper bound.
columns:
  - {name: part, title: 'Part', unit: text}
  - {name: copies, title: 'Copies', unit: s}
  - {name: gaps, title: 'Gaps right after', unit: s}
  - {name: brief, title: 'Of these, less than 32 µs', unit: s}
  - {name: before, title: 'Gaps right before', unit: s}
  - {name: brief_before, title: 'Of these before, less than 32 µs', unit: s}
  - {name: share, title: 'Copies, share of the time', unit: ratio}
  - {name: gap_share, title: 'Gaps right after, share of the time', unit: ratio}
  - {name: before_share, title: 'Gaps right before, share of the time', unit: ratio}
  - {name: apart, title: 'In streams without kernels, share of the copies', unit: ratio}
---*/
SELECT wait.part, wait.copy / 1e9 AS copies, wait.gap / 1e9 AS gaps, wait.brief / 1e9 AS brief,
    wait.lead / 1e9 AS before, wait.brief_lead / 1e9 AS brief_before,
    wait.copy / nullif(of_part.length, 0) AS share, wait.gap / nullif(of_part.length, 0) AS gap_share,
    wait.lead / nullif(of_part.length, 0) AS before_share,
    wait.apart / nullif(wait.copy, 0) AS apart
FROM copy_waits_in_parts AS wait
CROSS JOIN LATERAL (
    SELECT CASE wait.part WHEN 'run' THEN (SELECT stop - start FROM cpu_trace_span) ELSE wait.length END AS length
) AS of_part
WHERE wait.part IN ('steady iterations', 'run')
    OR wait.part = 'iterations' AND EXISTS (FROM steady_iterations)
ORDER BY wait.place

/*---
name: copies_in_passes
title: Copies within forward and backward passes
better: lower
definition: >-
  Calling contexts in the forward or backward pass that copy between host and GPU in at least every second steady
  iteration, and how many copies an iteration has of them. A capture of CUDA graphs does not permit copies that the host waits
  for. The place is where the innermost frame of Python calls what copies, or without Python the innermost one that
  has a source file; the call path where none has.
population: >-
  complete iterations that are no warm-up; operations of all streams. The first 20, by their number
needs: [gpu_trace, iterations]
source: traces; names of functions of PyTorch, TensorFlow and their companions
caveat: >-
  Whether the host waits for a copy is not recorded: it does where memory is pageable. The pass is told by names of functions
  on the calling path.
empty: no calling context in a forward or backward pass copies in at least every second iteration
columns:
  - {name: path, title: 'Call path', unit: text}
  - {name: phase, title: 'Pass', unit: text}
  - {name: operation, title: 'Operation', unit: text}
  - {name: place, title: 'Place', unit: text}
  - {name: copies, title: 'Copies per iteration', unit: '1'}
  - {name: together, title: 'Those of all contexts', unit: '1'}
---*/
WITH steady AS MATERIALIZED (FROM steady_bounds),
usual AS MATERIALIZED (
    SELECT enclosing.frame, min(gpu_context.launcher) AS launcher, any_value(frame.phase) AS phase, gpu_context.operation,
        count(*) / any_value(steady.iterations) / gpus() AS copies
    FROM gpu_operation AS ran
    JOIN steady ON ran.start >= steady.start AND ran.start < steady.stop
    JOIN gpu_context ON gpu_context.context = ran.context
    JOIN enclosing_frame AS enclosing ON enclosing.context = gpu_context.launcher
    JOIN frame ON frame.frame = enclosing.frame AND frame.phase IN ('forward', 'backward')
    WHERE gpu_context.operation IN ('copy H2D', 'copy D2H')
    GROUP BY enclosing.frame, gpu_context.operation
    HAVING count(*) >= 0.5 * any_value(steady.iterations) * gpus()
)
SELECT paths.path, usual.phase, usual.operation, coalesce(regexp_extract(place.file, '[^/]*$') || ':' || place.line, paths.path) AS place,
    usual.copies, sum(usual.copies) OVER () AS together
FROM usual
LEFT JOIN call_paths((SELECT list(frame) FROM usual)) AS paths ON paths.frame = usual.frame
LEFT JOIN source_place AS place ON place.context = usual.launcher
ORDER BY usual.phase = 'backward', usual.copies DESC, usual.frame, usual.operation
LIMIT 20

/*---
name: readbacks
title: Results copied to the host in each iteration
better: neither
definition: >-
  Calling contexts of copies from the GPU to the host that run in at least every second steady
  iteration: how many per iteration, how long one takes, and for how long no GPU operation runs
  after it. A host that copies a result usually waits for it, and the GPU for the host after it.
population: >-
  complete iterations that are no warm-up; the first 20, by the idle time after them
needs: [gpu_trace, iterations]
source: traces
caveat: >-
  Whether the host waits for the copy is not recorded. Idle time after a copy may be the host's
  other work.
empty: no calling context copies to the host in at least every second iteration
columns:
  - {name: path, title: 'Call path', unit: text}
  - {name: copies, title: 'Copies per iteration', unit: '1'}
  - {name: median, title: 'Median', unit: s}
  - {name: idle, title: 'Idle after it, median', unit: s}
---*/
WITH steady AS MATERIALIZED (
    FROM steady_iterations
),
copy AS MATERIALIZED (
    SELECT enclosing.frame AS context, ran.duration, coalesce(gpu_gap.duration, 0) AS idle
    FROM gpu_operation AS ran
    JOIN gpu_context ON gpu_context.context = ran.context
    JOIN enclosing_frame AS enclosing ON enclosing.context = gpu_context.launcher
    JOIN steady ON ran.start >= steady.start AND ran.start < steady.start + steady.duration
    LEFT JOIN gpu_gap ON gpu_gap.start = ran.start + ran.duration
    WHERE ran.operation = 'copy D2H'
),
usual AS MATERIALIZED (
    SELECT context, count(*) / (SELECT count(*) FROM steady) AS copies,
        median(duration) / 1e9 AS median, median(idle) / 1e9 AS idle
    FROM copy
    GROUP BY context
    HAVING 2 * count(*) >= (SELECT count(*) FROM steady)
)
SELECT coalesce(paths.path, 'a context that meta.db does not list') AS path, usual.copies, usual.median, usual.idle
FROM usual
LEFT JOIN call_paths((SELECT list(context) FROM usual)) AS paths ON paths.frame = usual.context
ORDER BY usual.copies * usual.idle DESC, usual.copies DESC, usual.context
LIMIT 20
