/*---
about: >-
  Multiprocessors of the GPU: of the hardware, else as many as the expected PC samples allow, 256 at most; NULL
  without either.
value: true
---*/
SELECT coalesce(
    (SELECT hardware.multiprocessors FROM hardware JOIN run ON run.hardware = hardware.name),
    (SELECT CASE WHEN count(*) > 0 THEN least(list_reduce(list(CAST(value AS BIGINT)), lambda a, b: gcd(a, b)), 256) END
     FROM cost WHERE scope = 'point' AND name = 'samples_expected' AND value > 0))
