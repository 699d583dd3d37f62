/*---
about: >-
  Times without any operation on a GPU, cut where its first iteration begins, the warm-up ends and the last
  iteration ends: of several GPUs another one may then be idle. place is as in gpu_idle; of a run with
  iterations, before ends with the first one's begin, and after begins with the last one's end. short tells
  whether PC sampling may have made it. counts is the moment by which idle_periods tell what it belongs to: its
  begin, or that of the first iteration where it is in this and before the mean over GPUs of its begin; NULL
  before it, and in a run without iterations [ns].
---*/
WITH bound AS (
    SELECT gpu.device, gpu.mean, gpu.start AS first, whole.last,
        greatest(gpu.start, CASE whole.warm WHEN gpu.mean THEN gpu.start ELSE whole.warm END) AS warm
    FROM begins_on_gpus AS gpu
    CROSS JOIN (
        SELECT coalesce(min(start) FILTER (WHERE mark <> 'warm-up'), max(stop)) AS warm, max(stop) AS last FROM iteration
    ) AS whole
),
phase AS (
    SELECT device, unnest([
        {'start': -9223372036854775807, 'stop': first, 'least': NULL, 'before': true, 'after': false},
        {'start': first, 'stop': warm, 'least': mean, 'before': false, 'after': false},
        {'start': warm, 'stop': last, 'least': mean, 'before': false, 'after': false},
        {'start': coalesce(last, -9223372036854775807), 'stop': 9223372036854775807, 'least': last, 'before': last IS NULL, 'after': true}
    ], recursive := true)
    FROM bound
)
SELECT idle.device,
    CASE WHEN idle.period = 'before' AND phase.before OR idle.period = 'after' AND phase.after THEN idle.period ELSE 'between' END AS place,
    idle.short,
    greatest(idle.start, phase.start) AS start, least(idle.stop, phase.stop) AS stop,
    CASE WHEN phase.least IS NOT NULL THEN greatest(idle.start, phase.start, phase.least) END AS counts
FROM gpu_idle AS idle JOIN phase ON phase.device = idle.device AND idle.start < phase.stop AND idle.stop > phase.start
