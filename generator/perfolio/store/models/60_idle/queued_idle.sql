/*---
about: >-
  Idle time of the only GPU of a run in which its next operation had been launched, where that is more than 5 ms: an idle GPU begins within
  microseconds, or where it loads a kernel first, some milliseconds. queued is the time from the launch, or from the begin of the idle
  time, on [ns]. Of several GPUs one may wait for another.
---*/
SELECT idle.period, idle.start, idle.stop, max(idle.stop - greatest(idle.start, call.start + call.duration)) AS queued
FROM gpu_idle AS idle
JOIN gpu_operation AS ran ON ran.start = idle.stop
JOIN host_call AS call ON call.id = ran.call
WHERE gpus() = 1 AND idle.period <> 'after' AND ran.duration > 0
GROUP BY idle.period, idle.start, idle.stop
HAVING max(idle.stop - greatest(idle.start, call.start + call.duration)) > 5e6
