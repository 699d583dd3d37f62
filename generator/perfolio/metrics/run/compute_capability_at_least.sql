/*---
title: Compute capability, at least
unit: "1"
better: neither
definition: >-
  CUDA compute capability of the device that profile.toml names; without one the newest that a kernel's name tells, which
  the device has or exceeds.
population: the run's row of table hardware; kernels with a name
needs: []
source: table hardware; names of kernels in cuBLAS, cuDNN and CUTLASS, as in cutlass_80, sm80_xmma, ampere_sgemm
empty: no device is named, and no kernel's name tells one
---*/
WITH told AS (
    SELECT greatest(
        CAST(nullif(regexp_extract(lower(kernel), '(?:cutlass_|(?:^|[^a-z0-9])sm_?)([5-9]\d|1[0-2]\d)(?:_|\b)', 1), '') AS DOUBLE) / 10,
        CASE regexp_extract(lower(kernel), '(?:^|[^a-z])(volta|turing|ampere|hopper)_', 1)
            WHEN 'volta' THEN 7.0 WHEN 'turing' THEN 7.5 WHEN 'ampere' THEN 8.0 WHEN 'hopper' THEN 9.0 END
    ) AS capability
    FROM kernel_context WHERE named
)
SELECT coalesce(
    (SELECT hardware.compute_capability FROM run JOIN hardware ON hardware.name = run.hardware),
    (SELECT max(capability) FROM told)
) AS value
