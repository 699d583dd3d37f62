/*---
about: >-
  Idle time of the GPU that is blamed on anything, how many samples a share of it rests on (n), and all such
  idle time (gaps): see recurring_blame [ns].
---*/
SELECT sum(duration) AS duration, equal_samples(sum(duration), sum(square)) AS n, recurring_idle() AS gaps FROM recurring_blame
