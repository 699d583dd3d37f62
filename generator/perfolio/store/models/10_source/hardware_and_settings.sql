/*---
name: gpu_vendor
about: >-
  Vendor of the GPU that was measured: from profile.toml, else from a tool of one vendor, else from HIP's library,
  else from values that of the other vendors only one fills, else from other libraries. No row without GPU metrics.
---*/
WITH clue(strength, vendor, metric, module) AS (
    VALUES
        -- from HPCToolkit 2025.1 on AMD's GPUs fill GKER:FGP_MAX_ACUMU too
        (1, 'AMD', NULL, '(^|/)libamdhip64[.]so'),
        (2, 'NVIDIA', 'kernel_most_warps', NULL), (2, 'NVIDIA', 'stalled_samples', NULL),
        (2, 'Intel', 'GINS:SIMD_TOT', NULL), (2, 'Intel', 'GINS:BLK_EXEC_CNT', NULL),
        (3, 'AMD', NULL, '(^|/)libhsa-runtime64[.]so'), (3, 'Intel', NULL, '(^|/)libze_'),
        (4, 'NVIDIA', NULL, '(^|/)libcuda(rt)?[.]so'), (4, 'NVIDIA', NULL, '(^|/)libtorch_cuda[.]so')
),
sign AS (
    SELECT 0 AS strength, hardware.vendor FROM run JOIN hardware ON hardware.name = run.hardware
    UNION ALL
    SELECT 1, 'AMD' FROM run WHERE tool IN ('rocprofv3', 'rocprof')
    UNION ALL
    SELECT 5, 'unknown' FROM run WHERE tool = 'Caliper'
    UNION ALL
    SELECT clue.strength, clue.vendor FROM total JOIN clue ON clue.metric = total.name WHERE total.value > 0
    UNION ALL
    SELECT clue.strength, clue.vendor FROM module JOIN clue ON regexp_matches(module.path, clue.module)
    UNION ALL
    SELECT 5, CASE WHEN bool_or(name = 'kernel_launches') THEN 'unknown' ELSE 'AMD' END FROM collected
    WHERE NOT EXISTS (FROM run WHERE tool = 'Caliper') HAVING count(*) > 0
)
SELECT arg_min(vendor, strength) AS vendor
FROM sign WHERE EXISTS (FROM collected WHERE name = 'gpu_operation_time') HAVING count(*) > 0

/*---
name: iteration_marker
about: >-
  The function that profile.toml names as the begin of an iteration, or NULL.
value: true
---*/
SELECT any_value(value) FROM setting WHERE key = 'workload.iteration_marker'
