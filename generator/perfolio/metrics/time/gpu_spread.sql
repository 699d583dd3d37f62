/*---
title: GPUs that are busy most and least
better: neither
definition: >-
  Of GPUs that take part in the run (run.gpus), the one that is busy for most of the time and the one that is for least of it:
  any operation runs on any of its streams.
population: >-
  steady iterations, or where none were found the time from the first operation of any GPU to the last one
needs: [gpu_trace]
source: traces
caveat: A GPU that waits in a collective operation for another one counts as busy.
empty: one GPU takes part
columns:
  - {name: most_gpu, title: 'Busiest GPU', unit: text}
  - {name: most, title: 'Busy', unit: ratio}
  - {name: least_gpu, title: 'Least busy GPU', unit: text}
  - {name: least, title: 'Busy', unit: ratio}
  - {name: spread, title: 'Difference', unit: ratio}
---*/
WITH used AS (
    SELECT steady.device, 1 - steady.idle / nullif(steady.length, 0) AS busy FROM steady_idle AS steady
),
named AS (
    SELECT stream.device, any_value(CASE WHEN (SELECT count(DISTINCT node) FROM profile) > 1
        THEN coalesce('node ' || profile.node || ' ', '') ELSE '' END || line.gpu) AS gpu
    FROM gpu_stream AS stream
    JOIN profile ON profile."index" = stream.profile
    JOIN line_name AS line ON line.profile = stream.profile
    GROUP BY stream.device
)
SELECT first(gpu ORDER BY busy DESC, device) AS most_gpu, max(busy) AS most,
    first(gpu ORDER BY busy, device) AS least_gpu, min(busy) AS least, max(busy) - min(busy) AS spread
FROM used JOIN named USING (device)
HAVING count(*) > 1
