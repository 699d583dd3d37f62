/*---
title: Phases of the run
better: neither
definition: >-
  Start-up, warm-up, steady state and tail: before the first iteration, iterations of the
  warm-up, the others, and after the last one. Without iterations the GPU span is the steady
  state. Where the GPU is busy from the begin on with what was launched before the recording, that is earlier work, and no
  start-up. Where PC sampling was on, gaps of up to 5 ms in them, which it may have made.
population: >-
  the traced time: the wall time, or the GPU span where there is no CPU trace; of several GPUs the mean busy time, and of
  when each begins its first iteration
needs: [gpu_trace]
source: traces
columns:
  - {name: phase, title: 'Phase', unit: text}
  - {name: start, title: 'Start', unit: s}
  - {name: duration, title: 'Duration', unit: s}
  - {name: share, title: 'Share of the traced time', unit: ratio}
  - {name: gpu_busy, title: 'GPU busy', unit: s}
  - {name: sampling_gaps, title: 'Gaps that PC sampling may have made', unit: s}
---*/
WITH own AS MATERIALIZED (
    FROM gpu_phases
)
SELECT phase, (phase.start - span.start) / 1e9 AS start, duration / 1e9 AS duration, duration / nullif(span.stop - span.start, 0) AS share,
    coalesce((
        SELECT sum(least(level.stop, own.stop) - greatest(level.start, own.start))
        FROM gpu_level AS level JOIN own ON own.device = level.device
        WHERE own.phase = phase.phase AND level.kernels + level.copies + level.others > 0
            AND level.start < own.stop AND level.stop > own.start
    ), 0) / gpus() / 1e9 AS gpu_busy,
    CASE WHEN pc_sampled() THEN coalesce((
        SELECT sum(least(gap.stop, own.stop) - greatest(gap.start, own.start))
        FROM gpu_gap AS gap JOIN own ON own.device = gap.device
        WHERE gap.short AND own.phase = phase.phase AND gap.start < own.stop AND gap.stop > own.start
    ), 0) / gpus() / 1e9 END AS sampling_gaps
FROM run_phases AS phase
CROSS JOIN (SELECT start, stop FROM traced_span) AS span
ORDER BY phase.start
