/*---
about: >-
  Calls of cuBLAS that compute a matrix product and below which no kernel was recorded, in runs that recorded
  others: HPCToolkit does not see what cuLaunchKernelEx launches.
---*/
-- Where kernels of such a call are recorded, they are so below its context; a context without them comes from samples alone.
WITH RECURSIVE below AS (
    SELECT context.id AS product, context.id AS context
    FROM context JOIN "function" ON "function".id = context."function"
    WHERE regexp_matches("function".name, '^cublas(LtMatmul|[SDCZH]gemm\w*|Gemm\w*Ex\w*)( \[|$)')
        AND EXISTS (FROM gpu_context WHERE operation = 'kernel')
    UNION ALL
    SELECT below.product, context.id FROM below JOIN context ON context.parent = below.context
)
SELECT below.product AS context
FROM below LEFT JOIN gpu_context ON gpu_context.launcher = below.context AND gpu_context.operation = 'kernel'
GROUP BY below.product HAVING count(gpu_context.context) = 0
