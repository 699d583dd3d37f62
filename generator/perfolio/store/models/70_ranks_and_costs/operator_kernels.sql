/*---
name: operator_kernel
about: >-
  Kernels by the operator of a framework that launched them, of operators with floating-point arguments whose types
  the tool recorded. Where an operator ran with several types in one calling context, its kernels' time is divided
  by calls.
when: EXISTS (FROM host_range WHERE types IS NOT NULL) AND EXISTS (FROM gpu_operation)
columns:
  operator: VARCHAR; Name of the operator [text]
  kernel: VARCHAR; Name of the kernel [text]
  time: DOUBLE; Time of its launches [s]
  narrow: DOUBLE; Part of it with an argument of 16 bits or fewer [ratio]
  is_product: BOOLEAN; Whether the operator is a matrix product, a convolution or attention
---*/
WITH typed AS (
    SELECT context, any_value(name) AS name,
        avg(CASE WHEN regexp_matches(types, '(?i)\b(half|bfloat16|float16|float8\w*)\b') THEN 1.0 ELSE 0.0 END) AS narrow
    FROM host_range
    WHERE kind = 'operator' AND regexp_matches(types, '(?i)\b(float|double|half|bfloat16|float16|float8\w*)\b')
    GROUP BY context
)
SELECT typed.name AS operator, context_name.name AS kernel, sum(ran.duration) / 1e9 AS "time", any_value(typed.narrow) AS narrow,
    regexp_matches(
        typed.name,
        '^aten::(mm|addmm|bmm|baddbmm|_?(cudnn_|miopen_)?conv\w*|_scaled_(mm|dot_product_\w+)|_(flash|efficient)_attention\w*)$'
    ) AS is_product
FROM gpu_operation AS ran
JOIN host_call AS call ON call.id = ran.call
JOIN context ON context.id = call.context
JOIN typed ON typed.context = context.parent
JOIN context_name ON context_name.context = ran.context
WHERE ran.operation = 'kernel'
GROUP BY typed.context, typed.name, context_name.name
