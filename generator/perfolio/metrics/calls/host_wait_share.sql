/*---
title: Gaps in which the next launch had not begun
unit: ratio
better: lower
definition: >-
  Of the time in gaps between operations of a GPU, the share before the host began the call that launches the operation
  which ends the gap. In it the GPU waited for the host; in the rest for the launch itself or for another operation.
population: gaps that end with an operation whose call was recorded, on all GPUs
needs: [host_call, gpu_trace]
source: begin and end of each call and operation; the distinction is Holistic Trace Analysis's
empty: no gap ends with an operation whose call was recorded
---*/
SELECT sum(least(greatest(ended.called - gap.start, 0), gap.stop - gap.start)) / nullif(sum(gap.stop - gap.start), 0) AS value,
    count(*) AS n
FROM gpu_gap AS gap
JOIN (
    SELECT stream.device, ran.start, min(call.start) AS called
    FROM gpu_operation AS ran
    JOIN gpu_stream AS stream ON stream.profile = ran.profile
    JOIN host_call AS call ON call.id = ran.call
    GROUP BY ALL
) AS ended ON ended.device = gap.device AND ended.start = gap.stop
HAVING count(*) > 0
