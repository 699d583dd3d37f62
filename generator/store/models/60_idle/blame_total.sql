/*---
about: >-
  Idle time of the GPU that is blamed on anything, how many samples a share of it rests on (n), and all such
  idle time (gaps), of a part as in blame_of [ns].
given: [part]
---*/
SELECT blamed.duration, blamed.n, idle_of(part) AS gaps
FROM (SELECT sum(duration) AS duration, blame_samples(sum(duration), sum(square)) AS n FROM blame_of(part)) AS blamed
