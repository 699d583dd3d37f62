/*---
about: >-
  Rates that bound a kernel: of memory [B/s] and of each precision's units [FLOP/s], nominal of the hardware table, measured of
  profile.toml, and the one that bounds: nominal, as a measured one is of a single program, else measured. `unit` is memory, vector or tensor.
---*/
WITH nominal AS (
    SELECT unnest([
        {name: 'memory', unit: 'memory', key: 'memory', value: memory_bandwidth},
        {name: 'FP64', unit: 'vector', key: 'fp64_vector', value: fp64_flops},
        {name: 'FP32', unit: 'vector', key: 'fp32', value: fp32_flops},
        {name: 'FP64 tensor', unit: 'tensor', key: 'fp64', value: fp64_tensor_flops},
        {name: 'TF32', unit: 'tensor', key: 'tf32', value: tf32_flops},
        {name: 'BF16 and FP16', unit: 'tensor', key: 'bf16', value: fp16_flops},
        {name: 'FP8', unit: 'tensor', key: 'fp8', value: fp8_flops}
    ], recursive := true)
    FROM hardware JOIN run ON run.hardware = hardware.name
)
SELECT nominal.name, nominal.unit, nominal.value AS nominal, given.value AS measured, coalesce(nominal.value, given.value) AS rate
FROM nominal
LEFT JOIN (
    SELECT CASE key WHEN 'ceiling.fp16' THEN 'bf16' ELSE split_part(key, '.', 2) END AS key, max(TRY_CAST(value AS DOUBLE)) AS value
    FROM setting WHERE key LIKE 'ceiling.%' GROUP BY ALL
) AS given ON given.key = nominal.key
WHERE coalesce(given.value, nominal.value) > 0
