/*---
title: GPU time by host function
better: lower
definition: >-
  Functions of the host program with the GPU-operation time of all that they launched, directly
  or through what they called; recursion counted once. Rows overlap: a caller holds the time of
  its callees.
population: >-
  call frames of the host (no placeholders, no kernels nor their host stubs), scope execution of the outermost
  frames; the first 30 among those that are not mere wrappers: a function is left out where one
  function that it calls has the same time
needs: [gpu_operation_time]
source: costs by scope
caveat: >-
  HPCToolkit does not see kernels launched by cuLaunchKernelEx, cudaLaunchKernelExC or CUDA
  graphs, which most library kernels use from compute capability 9 on (H100 and newer): there, a
  lower bound.
empty: the profile records no GPU operation
columns:
  - {name: function, title: 'Function', unit: text}
  - {name: file, title: 'File', unit: text}
  - {name: line, title: 'Line', unit: id}
  - {name: time, title: 'GPU-operation time', unit: s}
  - {name: share, title: 'Share', unit: ratio}
  - {name: kernel_time, title: 'Kernel time', unit: s}
  - {name: copy_time, title: 'Copy time', unit: s}
---*/
WITH of_host AS MATERIALIZED (
    SELECT frame.*, cost.inclusive, gpu_runtime(frame.name, frame.module_path) OR frame.stub AS runtime
    FROM frame_cost AS cost
    JOIN frame ON frame.frame = cost.frame
    WHERE cost.name = 'gpu_operation_time' AND cost.inclusive > 0 AND frame.lexical_type <> 'entry'
        AND frame.name NOT LIKE '<gpu %' AND coalesce(frame.module_path, '') NOT LIKE '%.gpubin'
),
host AS MATERIALIZED (
    SELECT * FROM of_host
    WHERE NOT runtime OR NOT EXISTS (SELECT 1 FROM of_host AS caller WHERE caller.frame = of_host.caller)
),
candidate AS (
    SELECT key, sum(inclusive) AS upper_bound
    FROM host
    GROUP BY key
    ORDER BY upper_bound DESC, key
    LIMIT 120
),
top AS (
    SELECT host.key, min(host.frame) AS example, sum(host.inclusive) AS "time", list(host.frame) AS frames
    FROM host
    JOIN outermost_frames((SELECT list(key) FROM candidate)) AS outermost ON outermost.frame = host.frame
    GROUP BY host.key
),
operation AS (
    SELECT context,
        sum(value) FILTER (WHERE name = 'kernel_time') AS kernel_time,
        sum(value) FILTER (WHERE name = 'copy_time') AS copy_time
    FROM cost
    WHERE scope = 'execution' AND name IN ('kernel_time', 'copy_time')
    GROUP BY context
),
wrapper AS (
    SELECT caller.key
    FROM host AS caller
    JOIN host AS callee ON callee.caller = caller.frame AND callee.key <> caller.key
    JOIN top ON top.key = caller.key
    GROUP BY caller.key, callee.key, top."time"
    HAVING sum(callee.inclusive) >= 0.999999 * top."time"
),
kept AS (
    SELECT top.key, top.example, top."time",
        sum(operation.kernel_time) AS kernel_time, sum(operation.copy_time) AS copy_time
    FROM top, unnest(top.frames) AS member(frame)
    LEFT JOIN operation ON operation.context = member.frame
    WHERE top.key NOT IN (SELECT key FROM wrapper)
    GROUP BY ALL
    -- Before the joins below: DuckDB 2.0 forgets a limit above a left join of a table without rows.
    ORDER BY top."time" DESC, top.key
    LIMIT 30
)
SELECT host.name AS "function", source_path(coalesce(file.path, host.called_file)) AS file,
    CASE WHEN source_path(file.path) IS NOT NULL THEN nullif(defined.line, 0) END AS line, kept."time",
    kept."time" / total_of('gpu_operation_time') AS share,
    coalesce(kept.kernel_time, 0) AS kernel_time, coalesce(kept.copy_time, 0) AS copy_time
FROM kept
JOIN host ON host.frame = kept.example
LEFT JOIN "function" AS defined ON defined.id = host."function"
LEFT JOIN file ON file.id = defined.file
ORDER BY kept."time" DESC, kept.key
