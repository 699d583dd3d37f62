/*---
about: >-
  From the begin of the first operation of any GPU that takes part (gpu_stream) to the end of the last one, per run [ns].
---*/
SELECT min(start) AS start, max(stop) AS stop FROM gpu_stream HAVING count(*) > 0
