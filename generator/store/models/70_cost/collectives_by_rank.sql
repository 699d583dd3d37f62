/*---
about: >-
  In a phase of the run (see run_phases; a warm-up begins on each rank with its own first iteration): how long
  kernels of NCCL or RCCL ran on the GPUs of each rank, how much of it no other kernel ran there, how long
  others did, the rest of the phase, without any kernel, and all of it; no row where none was seen or there are
  fewer than two ranks [ns].
given: [part]
---*/
WITH phase AS (
    SELECT rank, min(start) AS start, max(stop) AS stop
    FROM (
        SELECT coalesce(gpu.rank, 0) AS rank, CASE part WHEN 'warm-up' THEN own.start ELSE phase.start END AS start, phase.stop
        FROM run_phases AS phase
        JOIN gpu_phases AS own ON own.phase = phase.phase
        JOIN gpu_device AS gpu ON gpu.device = own.device
        WHERE phase.phase = part
    )
    GROUP BY rank
),
by_rank AS (
    SELECT level.rank, any_value(phase.stop - phase.start) AS length,
        coalesce(sum(least(level.stop, phase.stop) - greatest(level.start, phase.start)) FILTER (WHERE collectives > 0), 0) AS busy,
        coalesce(sum(least(level.stop, phase.stop) - greatest(level.start, phase.start))
            FILTER (WHERE collectives > 0 AND kernels = 0), 0) AS exposed,
        coalesce(sum(least(level.stop, phase.stop) - greatest(level.start, phase.start)) FILTER (WHERE kernels > 0), 0) AS others
    FROM rank_levels AS level
    JOIN phase ON phase.rank = level.rank AND level.start < phase.stop AND level.stop > phase.start
    GROUP BY level.rank
)
SELECT rank, busy, exposed, others, length - exposed - others AS rest, length FROM by_rank
WHERE (SELECT count(*) FROM by_rank) > 1 AND (SELECT sum(busy) FROM by_rank) > 0
