/*---
title: Idle time of the GPU by period
better: lower
definition: >-
  All idle time of the GPU by when it begins: earlier work, start-up (before the first iteration, or the first operation; see time.phases),
  iterations of the warm-up, typical iterations, outlying ones, the last one, whose end nothing shows, and
  after it. Of each, the gaps of up to 5 ms that PC sampling may have made, and of these and of the rest what
  samples of launching threads show to be the profiler's own calls. What is left of the rest is the host's, part of it the long
  wait of each iteration: the longest gap, where it is more than 5 ms and a fifth of the iteration, by the
  medians. It is told of complete iterations after the warm-up alone. Each moment counts once.
population: >-
  the wall time, or the GPU span where there is no CPU trace; of several GPUs the mean
needs: [gpu_trace]
source: traces; names of the profiler's libraries
caveat: >-
  The profiler's calls are by samples of threads that launch GPU operations: before the first operation and in
  time without samples none are told apart. Where no such thread was sampled they are unknown, and the host's time has them;
  so they are in gaps that PC sampling may have made where no library of the profiler was sampled.
columns:
  - {name: part, title: 'Part of the run', unit: text}
  - {name: period, title: 'Period', unit: text}
  - {name: iterations, title: 'Iterations', unit: count}
  - {name: idle, title: 'GPU idle', unit: s}
  - {name: sampling_gaps, title: 'Gaps that PC sampling may have made', unit: s}
  - {name: sampling_profiler, title: 'The profiler''s own calls in these', unit: s}
  - {name: profiler, title: 'The profiler''s own calls in other gaps', unit: s}
  - {name: host, title: 'The host', unit: s}
  - {name: wait, title: 'Long waits of it', unit: s}
  - {name: waits, title: 'Long waits, the profiler''s calls in them included', unit: s}
  - {name: each, title: 'The host, per iteration', unit: s}
---*/
SELECT any_value(CASE WHEN part.period IN ('steady', 'outlier', 'last', 'between') THEN 'iterations' ELSE part.words END) AS part,
    part.words AS period,
    nullif(any_value(counted.iterations), 0) AS iterations,
    sum(idle) / 1e9 AS idle,
    CASE WHEN pc_sampled() THEN coalesce(sum(idle) FILTER (WHERE gap = 'short'), 0) / 1e9 END AS sampling_gaps,
    CASE WHEN pc_sampled() AND any_value(known.told) AND any_value(known.seen) AND bool_or(part.period <> 'before')
        THEN coalesce(sum(profiler) FILTER (WHERE gap = 'short'), 0) / 1e9 END AS sampling_profiler,
    CASE WHEN any_value(known.told) AND bool_or(part.period <> 'before')
        THEN coalesce(sum(profiler) FILTER (WHERE gap <> 'short'), 0) / 1e9 END AS profiler,
    coalesce(sum(idle - profiler) FILTER (WHERE gap <> 'short'), 0) / 1e9 AS host,
    CASE WHEN any_value(part.period) IN ('steady', 'outlier')
        THEN coalesce(sum(idle - profiler) FILTER (WHERE gap = 'wait'), 0) / 1e9 END AS wait,
    CASE WHEN any_value(part.period) IN ('steady', 'outlier')
        THEN coalesce(sum(idle) FILTER (WHERE gap = 'wait'), 0) / 1e9 END AS waits,
    coalesce(sum(idle - profiler) FILTER (WHERE gap <> 'short'), 0) / nullif(any_value(counted.iterations), 0) / 1e9 AS each
FROM (
    SELECT *, CASE period
        WHEN 'before' THEN coalesce((SELECT period FROM idle_periods WHERE start IS NULL AND period <> 'between'), 'start-up')
        WHEN 'steady' THEN 'typical iterations'
        WHEN 'outlier' THEN 'outlying iterations'
        WHEN 'last' THEN 'last iteration'
        WHEN 'between' THEN 'between operations'
        ELSE period
    END AS words
    FROM idle_parts
) AS part
CROSS JOIN (SELECT EXISTS (FROM trace_line WHERE launching) AS told, EXISTS (FROM profiler_contexts) AS seen) AS known
LEFT JOIN (
    SELECT CASE mark WHEN '' THEN 'steady' WHEN 'incomplete' THEN 'last' ELSE mark END AS period, count(*) AS iterations
    FROM iteration GROUP BY ALL
) AS counted ON counted.period = part.period
GROUP BY part.words
ORDER BY min(part.first)
