/*---
name: typical_iteration
title: The iteration closest to the median
better: neither
definition: >-
  GPU operations of the iteration whose duration is nearest to the median. Line GPU holds all of
  them together: how many there are, the time in which any of them ran, and the longest gap
  between them, which differ a little from the medians over all iterations; line CPU the function in which launching threads were in that gap, told
  as for the longest gaps. Where there are more than 400, those of one line and kind that begin within a 500th of the iteration
  without that gap are one row: from the first to the last of them.
population: >-
  GPU operations that begin in it, of the GPU by whose operations iterations are told; the first
  4,000 rows
needs: [gpu_trace, iterations]
source: traces
columns:
  - {name: line, title: 'Line', unit: text}
  - {name: start, title: 'Start', unit: s}
  - {name: duration, title: 'Duration', unit: s}
  - {name: operation, title: 'Operation', unit: text}
  - {name: name, title: 'Name', unit: text}
  - {name: operations, title: 'Operations', unit: count}
  - {name: busy, title: 'Running', unit: s}
---*/
WITH typical AS MATERIALIZED (
    FROM typical_iteration
),
gpu AS MATERIALIZED (
    SELECT device FROM gpu_stream WHERE profile = busiest_stream()
),
gap AS MATERIALIZED (
    SELECT gpu_gap.device, greatest(gpu_gap.start, typical.start) AS start, least(gpu_gap.stop, typical.stop) AS stop
    FROM gpu_gap JOIN typical ON gpu_gap.start < typical.stop AND gpu_gap.stop > typical.start
    WHERE gpu_gap.device = (SELECT device FROM gpu)
),
longest AS MATERIALIZED (SELECT * FROM gap ORDER BY stop - start DESC, start LIMIT 1),
operation AS MATERIALIZED (
    SELECT operation.profile, operation.context, operation.operation, operation.start - typical.start AS start, operation.duration,
        count(*) OVER () AS number,
        (typical.stop - typical.start - coalesce((SELECT stop - start FROM longest), 0)) / 500 AS width
    FROM gpu_operation AS operation JOIN typical ON operation.start >= typical.start AND operation.start < typical.stop
    WHERE operation.profile IN (SELECT profile FROM gpu_stream WHERE device = (SELECT device FROM gpu))
),
drawn AS MATERIALIZED (
    SELECT profile, operation, arg_max(context, duration) AS context, min(start) AS start,
        max(start + duration) - min(start) AS duration, count(*) AS operations, sum(duration) AS busy
    FROM (
        SELECT *, if(number > 400, floor(start / width), row_number() OVER (ORDER BY start, profile)) AS place
        FROM operation
    )
    GROUP BY profile, operation, place
),
element AS (
    SELECT line.name AS line, drawn.start, drawn.duration, drawn.operation,
        ran.words || if(drawn.operations > 1, format(' and {} more', drawn.operations - 1), '') AS name,
        drawn.operations, drawn.busy
    FROM drawn
    JOIN line_name AS line ON line.profile = drawn.profile
    LEFT JOIN gpu_context AS ran ON ran.context = drawn.context
    UNION ALL
    SELECT 'GPU', coalesce(longest.start - typical.start, 0), coalesce(longest.stop - longest.start, 0), 'GPU idle', NULL,
        (SELECT count(*) FROM operation), typical.stop - typical.start - coalesce((SELECT sum(stop - start) FROM gap), 0)
    FROM typical LEFT JOIN longest ON true
    UNION ALL
    SELECT 'CPU', longest.start - typical.start, longest.stop - longest.start, 'GPU idle', blamed.name, NULL, NULL
    FROM longest
    CROSS JOIN typical
    JOIN sampled_functions((SELECT list(struct_pack(number := 1, device := device, start := start, stop := stop)) FROM longest)) AS blamed ON true
)
SELECT line, start / 1e9 AS start, duration / 1e9 AS duration, operation, name, operations, busy / 1e9 AS busy
FROM element
ORDER BY line = 'CPU' DESC, line = 'GPU' DESC, start, line
LIMIT 4000

/*---
name: iteration_times
title: Times of iterations
better: neither
definition: >-
  Begin and duration of each iteration, the GPU busy time and the longest gap in it, and
  whether it is warm-up, an outlier or incomplete (the last one: nothing shows its end).
  For what iterations are see time.iterations; a marked step begins when the host begins it and GPUs have ended what was
  launched before, and the end of the last one is known.
population: >-
  the first 2,000 iterations; busy time and gap are means over GPUs, of whole gaps that
  begin in the iteration where there are several, and so is when each begins the first one
needs: [gpu_trace, iterations]
source: traces
columns:
  - {name: iteration, title: 'Iteration', unit: id}
  - {name: start, title: 'Start', unit: s}
  - {name: duration, title: 'Duration', unit: s}
  - {name: gpu_busy, title: 'GPU busy', unit: s}
  - {name: longest_gap, title: 'Longest gap', unit: s}
  - {name: mark, title: 'Mark', unit: text}
---*/
SELECT iteration, (iteration.start - traced_span.start) / 1e9 AS start, (iteration.stop - iteration.start) / 1e9 AS duration,
    gpu_busy / 1e9 AS gpu_busy, longest_gap / 1e9 AS longest_gap, mark
FROM iteration JOIN traced_span ON true
ORDER BY iteration
LIMIT 2000

/*---
name: iteration_phases
title: Phases of an iteration
better: neither
definition: >-
  The mean duration of a steady iteration by phase of the program. The time in which GPU
  operations run belongs to the phase that launched them, that of copies from and to the host
  to the transfer; the time in which the GPU is idle belongs to the phase in which launching
  threads were sampled meanwhile, gaps shared by the samples taken in them or in gaps of like
  length, or to the profiler where they lie in its own calls. Of gaps shorter than the period of samples, where
  fewer than 100 were taken in them, a gap belongs to the phase of the operation that ends it, and samples share
  what ends with one whose path tells no phase. Each moment counts once, shared by the
  operations that run at once. What a
  function on the calling path tells of the phase is in the table
  phase_pattern of the store.
population: >-
  complete iterations that are no warm-up; operations of all streams, of several GPUs the mean
needs: [cpu_trace, gpu_trace, launching, iterations]
source: traces; names of functions of PyTorch, TensorFlow and their companions
caveat: >-
  Told by names of functions. Where the profiler lost frames of a calling path, its time counts
  as other. Gaps without any sample, in them or in gaps of like length, are not told, nor are
  those that end with an operation whose path tells no phase where fewer than 20 samples do.
empty: no function on the calling paths tells a phase
columns:
  - {name: phase, title: 'Phase', unit: text}
  - {name: time, title: 'Mean per iteration', unit: s}
  - {name: share, title: 'Share of the iteration', unit: ratio}
  - {name: gpu_busy, title: 'GPU busy', unit: s}
  - {name: gpu_idle, title: 'GPU idle', unit: s}
---*/
SELECT phase, (gpu_busy + gpu_idle) / iterations / 1e9 AS "time", (gpu_busy + gpu_idle) / length AS share,
    gpu_busy / iterations / 1e9 AS gpu_busy, gpu_idle / iterations / 1e9 AS gpu_idle
FROM iteration_parts
WHERE gpu_busy + gpu_idle > 0.5
ORDER BY list_position(['data', 'transfer', 'forward', 'backward', 'optimizer', 'profiler', 'other', 'not told'], phase)

/*---
name: iteration_classes
title: An iteration by class of bottleneck
better: neither
definition: >-
  The mean steady iteration of a GPU by what holds it up: compute (products and attention), memory (memory-bound kernels, optimizer,
  indexing and what a compiler fused, and operations that are neither kernel nor copy, such as memsets), communication (collectives),
  input (the GPU is idle while the host prepares data, and copies beside no kernel), host (any other idle time), and kernels whose names
  tell no class. Each moment counts once; kernels that run at the same time share it by their durations.
population: complete iterations that are no warm-up, the mean over GPUs
needs: [gpu_trace, iterations]
source: names of kernels (kernel_pattern), names of functions (phase_pattern), traces
caveat: >-
  A class is where time goes, not why. Where the phases of the host are not told, its time for input is in the host's.
empty: no kernel ran in a steady iteration
columns:
  - {name: class, title: 'Class', unit: text}
  - {name: time, title: 'Mean per iteration', unit: s}
  - {name: share, title: 'Share', unit: ratio}
---*/
WITH cell AS (
    SELECT sum(ns) AS whole, coalesce(sum(ns) FILTER (WHERE state = 'idle'), 0) AS idle, coalesce(sum(ns) FILTER (WHERE state = 'other'), 0) AS other,
        coalesce(sum(ns) FILTER (WHERE state LIKE 'copy%'), 0) AS copies
    FROM gpu_cell WHERE period IN ('steady', 'outlier')
),
kernels AS (
    SELECT CASE WHEN class IN ('product', 'attention') THEN 'compute' WHEN class = 'collective' THEN 'communication'
        WHEN class = 'other' THEN 'other kernels'
            ELSE 'memory' END AS class, sum(of_iteration) AS share
    FROM kernel_class_steady GROUP BY ALL
),
waits AS (
    SELECT least(coalesce(sum(gpu_idle) FILTER (WHERE phase = 'data') / any_value(length), 0), any_value(cell.idle / cell.whole)) AS input
    FROM cell LEFT JOIN iteration_parts ON (SELECT told FROM input_told)
    GROUP BY cell.whole
),
part AS (
    SELECT class, share FROM kernels
    UNION ALL
    SELECT 'memory', cell.other / cell.whole FROM cell
    UNION ALL
    SELECT 'input', waits.input + cell.copies / cell.whole FROM cell CROSS JOIN waits
    UNION ALL
    SELECT 'host', cell.idle / cell.whole - waits.input FROM cell CROSS JOIN waits
)
SELECT part.class, sum(part.share) * any_value(length.mean) AS "time", sum(part.share) AS share
FROM part CROSS JOIN (SELECT avg(duration) / 1e9 AS mean FROM steady_iterations) AS length
WHERE part.share > 0 AND EXISTS (FROM kernels)
GROUP BY part.class
ORDER BY share DESC, part.class

/*---
name: chunks
title: GPU occupancy in 30 chunks
better: higher
definition: >-
  Share of each of 30 equal parts of the time of steady iterations in which any operation, a kernel or a copy
  runs on a GPU.
population: >-
  from the first to the last steady iteration, or the GPU span where none were found; all streams, of
  several GPUs the mean
needs: [gpu_trace]
source: Nsight Systems' rule gpu_time_util, which has 30 chunks of the GPU's time
columns:
  - {name: bin, title: 'Bin', unit: id}
  - {name: start, title: 'Start', unit: s}
  - {name: stop, title: 'End', unit: s}
  - {name: busy, title: 'Busy', unit: ratio}
  - {name: kernel, title: 'Kernels', unit: ratio}
  - {name: copy, title: 'Copies', unit: ratio}
  - {name: idle, title: 'Idle', unit: ratio}
---*/
SELECT bin, (start - origin) / 1e9 AS start, (stop - origin) / 1e9 AS stop,
    busy / (stop - start) AS busy, kernel / (stop - start) AS kernel, copy / (stop - start) AS copy,
    1 - busy / (stop - start) AS idle
FROM gpu_bins
CROSS JOIN (SELECT start AS origin FROM traced_span)
WHERE whole = 'steady'
ORDER BY bin
