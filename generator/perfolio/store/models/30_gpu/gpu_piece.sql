/*---
about: >-
  The time of each GPU in pieces of a million operations or so: what gpu_level is filled by, since it sorts them. Each
  begins with an operation and ends where the next begins (NULL of the last), and the first and the last one where the
  GPU's own time does, be it with an operation of no length; reach is when an operation that runs in it began, at the
  earliest [ns].
---*/
SELECT device, min(start) AS "from", lead(min(start)) OVER (PARTITION BY device ORDER BY min(start)) AS "to",
    min(start) - max(max(duration)) OVER (PARTITION BY device) AS reach, max(last) AS last
FROM (
    SELECT device, start, 0 AS duration, 0 AS place, stop AS last FROM gpu_device
    UNION ALL
    SELECT stream.device, ran.start, ran.duration,
        (ran.start - gpu.start) // ((gpu.stop - gpu.start) // (1 + gpu.operations // 1000000) + 1), gpu.stop
    FROM gpu_operation AS ran
    JOIN gpu_stream AS stream ON stream.profile = ran.profile
    JOIN gpu_device AS gpu ON gpu.device = stream.device
    WHERE ran.duration > 0
)
GROUP BY device, place
ORDER BY device, "from"
