/*---
about: >-
  Sums of copy_waits between two moments, the first one as of begins_on_gpus, the mean over GPUs: the copies,
  the gaps right after them and right before them, those of less than 32 us among each, and the copies in
  streams without kernels [ns].
given: [first, last]
---*/
SELECT coalesce(sum(greatest(0, least(wait.stop, last) - greatest(wait.start, begin.start))), 0) / gpus() AS copy,
    coalesce(sum(greatest(0, least(wait.free, last) - greatest(wait.stop, begin.start))), 0) / gpus() AS gap,
    coalesce(sum(wait.free - wait.stop) FILTER (WHERE wait.free - wait.stop < pow(10, 4.5) AND wait.stop >= begin.start AND wait.free <= last), 0) / gpus() AS brief,
    coalesce(sum(greatest(0, least(wait.start, last) - greatest(wait.ready, begin.start))), 0) / gpus() AS lead,
    coalesce(sum(wait.start - wait.ready) FILTER (WHERE wait.start - wait.ready < pow(10, 4.5) AND wait.ready >= begin.start AND wait.start <= last), 0) / gpus() AS brief_lead,
    coalesce(sum(greatest(0, least(wait.stop, last) - greatest(wait.start, begin.start))) FILTER (WHERE wait.apart), 0) / gpus() AS apart
FROM copy_waits AS wait
JOIN begins_on_gpus(first) AS begin ON begin.device = wait.device
WHERE wait.ready < last AND wait.free > begin.start
