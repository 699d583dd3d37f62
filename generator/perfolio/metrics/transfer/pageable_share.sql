/*---
title: Copies from or to pageable memory, share of copy time
unit: ratio
better: lower
definition: Time of copies between host and device whose side of the host is pageable memory, over the time of all of them.
population: copies between host and device of which the tool recorded the kind of memory, on all GPUs
needs: [pinned]
source: the kind of memory of each copy
empty: no copy between host and device has a kind of memory
---*/
SELECT coalesce(sum(duration) FILTER (WHERE NOT pinned), 0) / nullif(sum(duration), 0) AS value, count(*) AS n
FROM gpu_operation WHERE pinned IS NOT NULL HAVING sum(duration) > 0
