/*---
about: >-
  From the begin of the first operation of any GPU to the end of the last one, per run [ns].
---*/
SELECT min(start) AS start, max(stop) AS stop, CAST(sum(operations) AS BIGINT) AS operations FROM gpu_stream HAVING count(*) > 0
