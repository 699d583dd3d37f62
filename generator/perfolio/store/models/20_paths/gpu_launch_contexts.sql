/*---
name: gpu_context
about: >-
  Calling contexts of GPU operations: placeholders such as <gpu kernel> and all below them.
when: FROM "function" WHERE name LIKE '<gpu %>'
columns:
  context: UINTEGER; Calling context [id]
  launcher: "UINTEGER; The context that launched it: the parent of the outermost placeholder [id]"
  operation: >-
    VARCHAR; kernel, copy H2D, copy D2H, copy D2D, copy P2P, copy, migration, memset, allocation, synchronisation or other, by the
    nearest placeholder [text]
  words: "VARCHAR; The operation in words: the short name of its kernel, or its kind [text]"
---*/
WITH placed AS (
    SELECT context, launcher,
        CASE placeholder
            WHEN '<gpu kernel>' THEN 'kernel'
            WHEN '<gpu copyin>' THEN 'copy H2D'
            WHEN '<gpu copyout>' THEN 'copy D2H'
            WHEN '<gpu copy>' THEN CASE WHEN on_device THEN 'copy D2D' ELSE 'copy' END
            WHEN '<gpu peer copy>' THEN 'copy P2P'
            WHEN '<gpu migration>' THEN 'migration'
            WHEN '<gpu memset>' THEN 'memset'
            WHEN '<gpu alloc>' THEN 'allocation'
            WHEN '<gpu delete>' THEN 'allocation'
            WHEN '<gpu sync>' THEN 'synchronisation'
            ELSE 'other'
        END AS operation
    FROM placeholder_contexts
    -- HPCToolkit names copies from and to the host apart; where it does, what is left stays on the
    -- device, unless bytes of another direction were counted.
    CROSS JOIN (
        SELECT (
                EXISTS (SELECT 1 FROM function WHERE name IN ('<gpu copyin>', '<gpu copyout>'))
                OR total_of('copy_bytes:D2D') > 0
            ) AND NOT EXISTS (
                SELECT 1 FROM total
                WHERE value > 0 AND name LIKE 'copy_bytes:%'
                    AND name NOT IN ('copy_bytes:D2D', 'copy_bytes:H2D', 'copy_bytes:D2H')
            ) AS on_device
    )
),
short AS (
    SELECT name, kernel_short(brief, detail) AS words
    FROM (
        SELECT name, short_name(name) AS brief, kernel_detail(name) AS detail
        FROM (SELECT DISTINCT name FROM context_name WHERE context IN (SELECT context FROM placed))
    )
)
SELECT placed.context, placed.launcher, placed.operation,
    CASE WHEN named.name LIKE '<%' THEN placed.operation ELSE coalesce(short.words, placed.operation) END AS words
FROM placed JOIN context_name AS named ON named.context = placed.context LEFT JOIN short ON short.name = named.name

/*---
name: launching_contexts
about: >-
  Contexts that share at least half of the calling path of a GPU operation: a thread that was seen in one of
  them launches GPU operations.
---*/
WITH RECURSIVE site AS (
    SELECT DISTINCT context.id, context.parent, context.depth, context.depth AS bottom
    FROM gpu_context JOIN context ON context.id = gpu_context.launcher
),
path AS (
    SELECT id, parent, depth, bottom FROM site
    UNION
    SELECT context.id, context.parent, context.depth, path.bottom
    FROM path JOIN context ON context.id = path.parent WHERE 2 * context.depth >= path.bottom
),
near AS (
    SELECT DISTINCT id FROM path
    UNION
    SELECT context.id FROM near JOIN context ON context.parent = near.id
)
SELECT id AS context FROM near WHERE id NOT IN (SELECT context FROM gpu_context)

/*---
name: stub_context
about: >-
  Contexts of what compilers put in the place of a kernel's launch: up from kernels through the GPU's runtime,
  functions that are called __device_stub_ or have the kernel's own name.
---*/
WITH RECURSIVE placeholder AS MATERIALIZED (
    SELECT context.id AS context, context.parent AS launcher
    FROM context JOIN "function" ON "function".id = context."function" WHERE "function".name = '<gpu kernel>'
),
named AS (
    SELECT parent, regexp_extract(plain_name(function_name), '\w+$') AS bare
    FROM context_name WHERE parent IN (SELECT context FROM placeholder)
),
kernel AS (
    SELECT placeholder.launcher, named.bare
    FROM placeholder LEFT JOIN named ON named.parent = placeholder.context AND named.bare <> ''
),
above AS (
    SELECT launcher AS context FROM kernel
    UNION
    SELECT context.parent FROM above JOIN context ON context.id = above.context
),
passed AS MATERIALIZED (
    SELECT named.context, named.parent, named.relation, regexp_extract(plain_name(named.function_name), '\w+$') AS bare,
        coalesce(named.function_name LIKE '\_\_device\_stub\_%' ESCAPE '\', false) AS generated,
        named.relation = 'lexical' OR gpu_runtime(named.name, named.module_path) AS through
    FROM above JOIN context_name AS named ON named.context = above.context
),
launching AS (
    SELECT launcher AS context, bare AS kernel FROM kernel
    UNION
    SELECT passed.parent, launching.kernel FROM launching JOIN passed ON passed.context = launching.context WHERE passed.through
)
SELECT DISTINCT passed.context
FROM launching JOIN passed ON passed.context = launching.context
WHERE passed.relation <> 'lexical' AND (passed.generated OR passed.bare = launching.kernel)

/*---
name: reading_frames
about: >-
  Frames that launch copies from a GPU to the host and no other copies.
---*/
-- A copy to the host that is not asked for by a synchronous call waits all the same where the memory
-- of the host is not pinned, as for item() in PyTorch; with pinned memory the call takes no time.
SELECT enclosing.frame
FROM gpu_context JOIN enclosing_frame AS enclosing ON enclosing.context = gpu_context.launcher
GROUP BY enclosing.frame
HAVING bool_or(gpu_context.operation = 'copy D2H') AND bool_and(gpu_context.operation = 'copy D2H' OR gpu_context.operation NOT LIKE 'copy%')

/*---
name: line_kind
about: >-
  What the profiles are whose identifiers do not tell: GPU stream where all points of the trace line are GPU operations,
  else CPU thread.
---*/
SELECT trace.profile, CASE WHEN bool_and(placeholder.context IS NOT NULL) THEN 'GPU stream' ELSE 'CPU thread' END AS kind
FROM (
    SELECT DISTINCT profile, context
    FROM trace WHERE context <> 0 AND profile IN (SELECT "index" FROM profile WHERE kind = 'unknown')
) AS trace
LEFT JOIN placeholder_contexts AS placeholder ON placeholder.context = trace.context
GROUP BY trace.profile

/*---
name: profiler_contexts
about: >-
  Contexts in which the profiler measures the GPU: on calling paths through NVIDIA's CUPTI or NVPerf, or in the
  code of AMD's rocprofiler or roctracer.
---*/
-- CUPTI and NVPerf are called by the CUDA driver for the profiler alone, so that all below them is its own.
-- AMD's libraries stand between the program and the runtime: there only their own code is.
WITH RECURSIVE inside AS (
    SELECT context FROM context_name WHERE regexp_matches(parse_filename(module_path), '^lib(cupti|nvperf)')
    UNION
    SELECT context.id FROM inside JOIN context ON context.parent = inside.context
)
SELECT context FROM inside
UNION
SELECT enclosing.context
FROM context_name AS named JOIN enclosing_frame AS enclosing ON enclosing.frame = named.context
WHERE regexp_matches(parse_filename(named.module_path), '^lib(rocprofiler|roctracer)')

/*---
name: unseen_product
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
