/*---
about: >-
  In the warm-up and the steady state of the run (run_phases; a warm-up begins on each rank with its own
  first iteration): how long kernels that communicate ran on the GPUs of each rank, how much of it no other
  kernel ran there, how long others did, the rest of the phase, without any kernel, and all of it; no row
  where none was seen [ns].
---*/
WITH phase AS (
    SELECT phase.phase, coalesce(gpu.rank, 0) AS rank, max(phase.stop) AS stop,
        min(CASE phase.phase WHEN 'warm-up' THEN own.start ELSE phase.start END) AS start
    FROM run_phases AS phase
    JOIN gpu_phases AS own ON own.phase = phase.phase
    JOIN gpu_device AS gpu ON gpu.device = own.device
    WHERE phase.phase IN ('warm-up', 'steady state')
    GROUP BY ALL
),
held AS (
    SELECT phase.phase, level.rank, level.collectives, level.kernels, phase.stop - phase.start AS length,
        least(level.stop, phase.stop) - greatest(level.start, phase.start) AS spent
    FROM rank_levels AS level JOIN phase ON phase.rank = level.rank AND level.start < phase.stop AND level.stop > phase.start
),
by_rank AS (
    SELECT phase, rank, any_value(length) AS length,
        coalesce(sum(spent) FILTER (WHERE collectives > 0), 0) AS busy,
        coalesce(sum(spent) FILTER (WHERE collectives > 0 AND kernels = 0), 0) AS exposed,
        coalesce(sum(spent) FILTER (WHERE kernels > 0), 0) AS others
    FROM held GROUP BY phase, rank
)
SELECT phase, rank, busy, exposed, others, length - exposed - others AS rest, length
FROM by_rank
WINDOW of_phase AS (PARTITION BY phase)
QUALIFY sum(busy) OVER of_phase > 0
