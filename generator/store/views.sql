-- Views and macros that metrics share. Each has a comment; each column keeps the unit of its table.

CREATE VIEW total AS
SELECT run, name, scope_total AS value
FROM (
    SELECT metric.run, metric.name, summary.value AS scope_total
    FROM metric
    JOIN summary ON summary.run = metric.run AND summary.metric = metric.id
    WHERE metric.scope = 'execution' AND metric.statistic = 'sum' AND metric.formula = '$$'
      AND summary.context = 0
);
COMMENT ON VIEW total IS 'The true total of each metric of a run: context 0 at scope execution. A metric without a row is 0 or was not collected: see collected.';

CREATE VIEW collected AS
SELECT DISTINCT run, name FROM metric;
COMMENT ON VIEW collected IS 'Names of the metrics that the profile lists, whether or not a value was recorded.';

CREATE VIEW cost AS
SELECT summary.run, summary.context, metric.name, metric.scope, summary.value
FROM summary
JOIN metric ON metric.run = summary.run AND metric.id = summary.metric
WHERE metric.statistic = 'sum' AND metric.formula = '$$';
COMMENT ON VIEW cost IS 'Cost per calling context, summed over profiles. Sum scope point only; execution is inclusive, lex_aware and function are exclusive.';

CREATE VIEW profile_total AS
SELECT value.run, value.profile, metric.name, value.value
FROM value
JOIN metric ON metric.run = value.run AND metric.id = value.metric
WHERE value.context = 0 AND metric.scope = 'execution';
COMMENT ON VIEW profile_total IS 'The total of each metric per profile: context 0 at scope execution.';

CREATE MACRO python_module() AS '<logical python>';
COMMENT ON MACRO python_module IS 'What HPCToolkit names as the load module of functions of Python.';

CREATE VIEW context_name AS
SELECT context.run, context.id AS context, context.parent, context.depth, context.entry_point,
    context.lexical_type, context.relation, context.function,
    CASE context.lexical_type
        WHEN 'entry' THEN '<' || context.entry_point || '>'
        WHEN 'loop' THEN 'loop at ' || coalesce(parse_filename(file.path), '?') || ':' || coalesce(context.line, 0)
        WHEN 'line' THEN coalesce(parse_filename(file.path), '?') || ':' || coalesce(context.line, 0)
        WHEN 'instruction' THEN coalesce(parse_filename(module.path), '?') || '@0x' || printf('%x', context."offset"::BIGINT)
        ELSE coalesce(function.name, '<unknown function>')
    END AS name,
    function.name AS function_name, file.path AS file_path, context.line,
    coalesce(module.path, function_module.path) AS module_path
FROM context
LEFT JOIN function ON function.run = context.run AND function.id = context.function
LEFT JOIN file ON file.run = context.run AND file.id = context.file
LEFT JOIN module ON module.run = context.run AND module.id = context.module
LEFT JOIN module AS function_module ON function_module.run = context.run AND function_module.id = function.module;
COMMENT ON VIEW context_name IS 'Each calling context with a name that people can read, and its function, file, line and module.';

CREATE MACRO is_clock(name) AS regexp_matches(name, '(^|::)(cpu|task)-clock$');
COMMENT ON MACRO is_clock IS 'Whether an event of perf is a clock, which counts nanoseconds of CPU time (perf_event_open(2)).';

CREATE VIEW cpu_event AS
SELECT run, name, value, CASE name WHEN 'CPUTIME (sec)' THEN 'CPU-s' WHEN 'REALTIME (sec)' THEN 'thread-s'
    ELSE CASE WHEN is_clock(name) THEN 'CPU-ns' ELSE 'events' END END AS unit
FROM total
WHERE name IN ('CPUTIME (sec)', 'REALTIME (sec)') OR name LIKE 'perf::%' OR name LIKE 'PAPI_%' OR lower(name) LIKE '%cycles%'
QUALIFY row_number() OVER (
    PARTITION BY run
    ORDER BY CASE WHEN name = 'CPUTIME (sec)' THEN 0 WHEN name = 'REALTIME (sec)' THEN 1
        WHEN lower(name) LIKE '%cycles%' THEN 2 ELSE 3 END, value DESC, name
) = 1;
COMMENT ON VIEW cpu_event IS 'The event by which CPU cost is ranked in a run: CPU time, else elapsed thread time, else cycles, else the largest event.';

CREATE VIEW invariant AS
SELECT run, name, point_sum, execution, profile_sum,
    CASE WHEN greatest(abs(point_sum), abs(execution), abs(profile_sum)) > 0 THEN
        greatest(abs(point_sum - execution), abs(point_sum - profile_sum), abs(execution - profile_sum))
        / greatest(abs(point_sum), abs(execution), abs(profile_sum))
    ELSE 0 END AS difference
FROM (
    SELECT listed.run, listed.name,
        CASE WHEN has_point THEN coalesce(point.value, 0) END AS point_sum,
        CASE WHEN has_execution THEN coalesce(total.value, 0) END AS execution,
        CASE WHEN has_profiles THEN coalesce(profiles.value, 0) END AS profile_sum
    FROM (
        SELECT run, name,
            bool_or(scope = 'point' AND statistic = 'sum' AND formula = '$$') AS has_point,
            bool_or(scope = 'execution' AND statistic = 'sum' AND formula = '$$') AS has_execution,
            bool_or(scope = 'execution' AND statistic IS NULL) AS has_profiles
        FROM metric GROUP BY run, name
    ) AS listed
    LEFT JOIN (
        SELECT run, name, fsum(value) AS value FROM cost WHERE scope = 'point' GROUP BY run, name
    ) AS point ON point.run = listed.run AND point.name = listed.name
    LEFT JOIN total ON total.run = listed.run AND total.name = listed.name
    LEFT JOIN (
        SELECT run, name, fsum(value) AS value FROM profile_total GROUP BY run, name
    ) AS profiles ON profiles.run = listed.run AND profiles.name = listed.name
    WHERE EXISTS (SELECT 1 FROM summary WHERE summary.run = listed.run)
);
COMMENT ON VIEW invariant IS 'Three ways to the same total per metric: sum of scope point over contexts, context 0 at execution, sum over profiles; NULL where the profile has no such scope. difference is relative.';

CREATE MACRO binomial_low(k, n) AS
    CASE WHEN n > 0 AND k <= 0 THEN 0.0 WHEN n > 0 THEN (k / n + 1.9208 / n - 1.96 * sqrt(greatest(k / n * (1 - k / n), 0) / n + 0.9604 / (n * n))) / (1 + 3.8416 / n) END;
COMMENT ON MACRO binomial_low IS 'Lower bound of the 95 % Wilson interval of k successes in n samples [ratio]';

CREATE MACRO binomial_high(k, n) AS
    CASE WHEN n > 0 AND k >= n THEN 1.0 WHEN n > 0 THEN (k / n + 1.9208 / n + 1.96 * sqrt(greatest(k / n * (1 - k / n), 0) / n + 0.9604 / (n * n))) / (1 + 3.8416 / n) END;
COMMENT ON MACRO binomial_high IS 'Upper bound of the 95 % Wilson interval of k successes in n samples [ratio]';

CREATE MACRO total_of(r, metric_name) AS (
    SELECT coalesce(sum(total_value), 0)
    FROM total AS of_run(total_run, total_name, total_value)
    WHERE total_run = r AND total_name = metric_name
);
COMMENT ON MACRO total_of IS 'The true total of a metric of a run; 0 where nothing was recorded, so ask first whether it was collected.';

CREATE MACRO cpu_event_of(r) AS (SELECT name FROM cpu_event WHERE run = r);
COMMENT ON MACRO cpu_event_of IS 'Name of the event by which CPU cost is ranked in a run.';

CREATE MACRO is_pc_sample(name) AS name LIKE 'GINS%' OR name LIKE 'GCYCLES%';
COMMENT ON MACRO is_pc_sample IS 'Whether a metric is made of PC samples: GINS and its stalls, also where HPCToolkit 2025.1 or later writes GCYCLES for NVIDIA''s GPUs, which is read under the older name; GCYCLES of the GPUs of other vendors, which is not evaluated.';

CREATE MACRO sample_period(r) AS (
    SELECT coalesce(
        (SELECT min(value.value) FROM value JOIN metric ON metric.run = value.run AND metric.id = value.metric
         WHERE value.run = r AND metric.name = 'GSAMP:PER (cyc)' AND metric.scope = 'point'),
        (SELECT min(try_cast(value AS DOUBLE)) FROM setting WHERE run = r AND key = 'event_period'))
);
COMMENT ON MACRO sample_period IS 'Cycles between two PC samples: a setting, stored once per kernel, so the smallest entry and never the sum. GINS over it is a number of samples.';

CREATE MACRO multiprocessors(r) AS (
    SELECT coalesce(
        (SELECT hardware.multiprocessors FROM hardware JOIN run ON run.hardware = hardware.name WHERE run.run = r),
        (SELECT CASE WHEN count(*) > 0 THEN least(list_reduce(list(CAST(value AS BIGINT)), lambda a, b: gcd(a, b)), 256) END
         FROM cost WHERE run = r AND scope = 'point' AND name = 'GSAMP:EXP' AND value > 0))
);
COMMENT ON MACRO multiprocessors IS 'Multiprocessors of the GPU: of the hardware, else as many as the expected PC samples allow, 256 at most; NULL without either.';

-- All multiprocessors are sampled at the same moments, and those that run one kernel are apt to do the same then:
-- samples of a moment need not be independent, so that they count as one. A launch is expected to give a sample
-- per multiprocessor and period, and each gives one at most, which bounds the number of moments from below.
CREATE MACRO at_once(taken, expected, multiprocessors) AS
    coalesce(greatest(1.0, multiprocessors * taken / nullif(greatest(taken, coalesce(expected, 0)), 0)), 1.0);
COMMENT ON MACRO at_once IS 'PC samples per moment of sampling, at most, from those taken, those expected and the number of multiprocessors; 1 where that is unknown.';

CREATE MACRO samples_at_once(r) AS (
    SELECT coalesce(sum(taken * at_once(taken, expected, multiprocessors(r))) / nullif(sum(taken), 0), 1.0)
    FROM (
        SELECT sum(value) FILTER (WHERE name = 'GSAMP:TOT') AS taken, sum(value) FILTER (WHERE name = 'GSAMP:EXP') AS expected
        FROM cost
        WHERE run = r AND scope = 'point' AND name IN ('GSAMP:TOT', 'GSAMP:EXP')
        GROUP BY context
    )
    WHERE taken > 0
);
COMMENT ON MACRO samples_at_once IS 'PC samples per moment of sampling, the mean over samples: by as much are independent samples of a run fewer (Kish, Survey Sampling, 1965: clusters that agree within themselves).';

CREATE MACRO rocm_version(path) AS
    coalesce(
        nullif(regexp_extract(path, '/rocm-(\d+\.\d+(\.\d+)?)/', 1), ''),
        nullif(regexp_extract(path, '(^|/)libamdhip64\.so\.(\d+\.\d+)', 2), ''),
        nullif(regexp_extract(path, '(^|/)libamdhip64\.so\.([1-9]\d*)$', 2), ''));
COMMENT ON MACRO rocm_version IS 'Version of ROCm that a module of it tells by its folder (/opt/rocm-5.7.1/) or by the version of HIP''s runtime, which counts as ROCm does, as far as it is in the name of its file; else NULL.';

CREATE VIEW gpu_vendor AS
WITH clue(strength, vendor, metric, module) AS (
    VALUES
        -- from HPCToolkit 2025.1 on AMD's GPUs fill GKER:FGP_MAX_ACUMU too
        (1, 'AMD', NULL, '(^|/)libamdhip64[.]so'),
        (2, 'NVIDIA', 'GKER:FGP_MAX_ACUMU', NULL), (2, 'NVIDIA', 'GINS:STL_ANY', NULL),
        (2, 'Intel', 'GINS:SIMD_TOT', NULL), (2, 'Intel', 'GINS:BLK_EXEC_CNT', NULL),
        (3, 'AMD', NULL, '(^|/)libhsa-runtime64[.]so'), (3, 'Intel', NULL, '(^|/)libze_'),
        (4, 'NVIDIA', NULL, '(^|/)libcuda(rt)?[.]so'), (4, 'NVIDIA', NULL, '(^|/)libtorch_cuda[.]so')
),
sign AS (
    SELECT run.run, 0 AS strength, hardware.vendor FROM run JOIN hardware ON hardware.name = run.hardware
    UNION ALL
    SELECT total.run, clue.strength, clue.vendor FROM total JOIN clue ON clue.metric = total.name WHERE total.value > 0
    UNION ALL
    SELECT module.run, clue.strength, clue.vendor FROM module JOIN clue ON regexp_matches(module.path, clue.module)
    UNION ALL
    SELECT run, 5, CASE WHEN bool_or(name = 'GKER:COUNT') THEN 'unknown' ELSE 'AMD' END FROM collected GROUP BY run
)
SELECT sign.run, arg_min(sign.vendor, sign.strength) AS vendor
FROM sign
JOIN collected ON collected.run = sign.run AND collected.name = 'GPUOP (sec)'
GROUP BY sign.run;
COMMENT ON VIEW gpu_vendor IS 'Vendor of the GPU that was measured: from profile.toml, else from HIP''s library, else from values that of the other vendors only one fills, else from other libraries. No row without GPU metrics.';

CREATE MACRO launches_graph(name) AS regexp_matches(name, '^cu(da)?GraphLaunch');
COMMENT ON MACRO launches_graph IS 'Whether a function of CUDA launches a graph.';

CREATE VIEW hidden_graph AS
SELECT run FROM "function" WHERE launches_graph(name)
EXCEPT
SELECT gpu_context.run
FROM gpu_context
JOIN context ON context.run = gpu_context.run AND context.id = gpu_context.launcher
JOIN "function" ON "function".run = context.run AND "function".id = context."function"
WHERE launches_graph("function".name);
COMMENT ON VIEW hidden_graph IS 'Runs whose program launches CUDA graphs, and that hold no operation of them: what such a run holds of the GPU is a part of unknown size.';
COMMENT ON COLUMN hidden_graph.run IS 'Run [id]';

CREATE MACRO computes_product(name) AS regexp_matches(name, '^cublas(LtMatmul|[SDCZH]gemm\w*|Gemm\w*Ex\w*)( \[|$)');
COMMENT ON MACRO computes_product IS 'Whether a function of cuBLAS computes a matrix product, and so launches a kernel.';

-- Where kernels of such a call are recorded, they are so below its context; a context without them comes from samples alone.
CREATE VIEW unseen_product AS
WITH RECURSIVE below AS (
    SELECT context.run, context.id AS product, context.id AS context
    FROM context JOIN "function" ON "function".run = context.run AND "function".id = context."function"
    WHERE computes_product("function".name) AND context.run IN (SELECT run FROM gpu_context WHERE operation = 'kernel')
    UNION ALL
    SELECT below.run, below.product, context.id
    FROM below JOIN context ON context.run = below.run AND context.parent = below.context
)
SELECT below.run, below.product AS context
FROM below
LEFT JOIN gpu_context ON gpu_context.run = below.run AND gpu_context.launcher = below.context AND gpu_context.operation = 'kernel'
GROUP BY below.run, below.product
HAVING count(gpu_context.context) = 0;
COMMENT ON VIEW unseen_product IS 'Calls of cuBLAS that compute a matrix product and below which no kernel was recorded, in runs that recorded others: HPCToolkit does not see what cuLaunchKernelEx launches.';
COMMENT ON COLUMN unseen_product.run IS 'Run [id]';
COMMENT ON COLUMN unseen_product.context IS 'Calling context of the call [id]';

CREATE VIEW held AS
SELECT collected.run, collected.name AS need FROM collected WHERE collected.run IN (SELECT run FROM summary)
UNION ALL SELECT DISTINCT run, 'values' FROM summary
UNION ALL SELECT DISTINCT run, 'profiles' FROM value
UNION ALL SELECT DISTINCT run, 'ranks' FROM profile WHERE rank IS NOT NULL
UNION ALL SELECT DISTINCT run, 'trace' FROM trace_line
UNION ALL SELECT DISTINCT run, 'cpu_trace' FROM trace_line WHERE kind = 'CPU thread' AND active > 0
UNION ALL SELECT DISTINCT run, unnest(['gpu_trace', 'gpu_operations', 'kernels', 'copies', 'launches']) FROM gpu_operation
UNION ALL SELECT run, CASE name WHEN 'GPUOP (sec)' THEN 'gpu_operations' WHEN 'GKER (sec)' THEN 'kernels' ELSE 'copies' END
FROM collected
WHERE name IN ('GPUOP (sec)', 'GKER (sec)', 'GXCOPY (sec)') AND run IN (SELECT run FROM summary)
UNION ALL SELECT collected.run, 'launches'
FROM collected LEFT JOIN gpu_vendor ON gpu_vendor.run = collected.run
WHERE collected.name = 'GKER:COUNT' AND collected.run IN (SELECT run FROM summary)
    AND (coalesce(gpu_vendor.vendor NOT IN ('AMD', 'Intel'), true) OR total_of(collected.run, 'GKER:COUNT') > 0)
UNION ALL SELECT DISTINCT line.run, 'kernel_lines'
FROM gpu_context JOIN context AS line ON line.run = gpu_context.run AND line.id = gpu_context.context
JOIN file ON file.run = line.run AND file.id = line.file
WHERE gpu_context.operation = 'kernel' AND line.lexical_type = 'line' AND line.line > 0 AND file.path NOT LIKE '[%'
UNION ALL SELECT DISTINCT run, 'iterations' FROM iteration
UNION ALL SELECT run, 'graphs' FROM hidden_graph
UNION ALL SELECT run, 'every_kernel' FROM run
UNION ALL SELECT run, 'unsampled' FROM run WHERE run NOT IN (SELECT run FROM metric WHERE is_pc_sample(name))
UNION ALL SELECT DISTINCT run, 'launching' FROM trace_line WHERE launching
UNION ALL SELECT run, 'cpu_event' FROM cpu_event
UNION ALL SELECT run, key FROM setting
UNION ALL SELECT run.run, 'hardware' FROM run JOIN hardware ON hardware.name = run.hardware
UNION ALL SELECT run.run, 'hardware.' || figure.name
FROM run
JOIN (
    UNPIVOT (SELECT name AS device, CAST(COLUMNS(* EXCLUDE (name, vendor, verified)) AS DOUBLE) FROM hardware)
    ON COLUMNS(* EXCLUDE (device)) INTO NAME name VALUE amount
) AS figure ON figure.device = run.hardware;
COMMENT ON VIEW held IS 'What a run holds, in the words in which metrics say what they need: names of metrics, values, profiles, ranks, trace, cpu_trace, gpu_trace, gpu_operations, kernels, copies and launches (by values or the trace), kernel_lines (lines of sources in GPU code), iterations, graphs (launched by the program and not recorded), unsampled (no PC samples), launching, cpu_event, settings, hardware and its columns.';

CREATE MACRO shorten(words, size) AS
    CASE WHEN length(words) > size THEN left(words, size - 1) || '…' ELSE words END;
COMMENT ON MACRO shorten IS 'Text of at most size characters.';

CREATE MACRO short_name(name) AS
    CASE WHEN name LIKE '<%' OR name LIKE '0x%' THEN shorten(name, 60)
    ELSE shorten(regexp_replace(regexp_replace(regexp_replace(
        replace(name, '(anonymous namespace)::', ''), ' \[[^\]]*\]$', ''), '^void ', ''), '[<(].*$', '', 's'), 60) END;
COMMENT ON MACRO short_name IS 'A function''s name without template arguments, parameters and library, at most 60 characters; an address keeps its library.';

CREATE MACRO plain_name(name) AS
    regexp_replace(replace(name, '(anonymous namespace)::', ''), '[<(].*$', '', 's');
COMMENT ON MACRO plain_name IS 'A function''s name without template arguments and parameters.';

CREATE MACRO gpu_runtime(name, module) AS
    coalesce(regexp_matches(parse_filename(module), '^lib(amdhip64|hsa-runtime64|cudart|cuda|ze_loader|ze_intel_gpu|OpenCL)\b'), false)
    OR regexp_matches(name, '^(hip|cuda)[A-Z]|^__device_stub_');
COMMENT ON MACRO gpu_runtime IS 'Whether a function belongs to the GPU''s runtime or driver, by its module, or by its name where the runtime is linked into the program.';

CREATE MACRO kernel_detail(name) AS
    coalesce(
        nullif(regexp_extract(name, '<.*?\b((?:cutlass_|ampere_|sm\d+_)\w*gemm\w*)', 1, 's'), ''),
        nullif(regexp_extract(name, '<.*?\b(\w+_(?:kernel_cuda|cuda_kernel|kernel_impl|cuda_out|scalar))\b', 1, 's'), ''),
        nullif(regexp_extract(name, '<.*?\b(\w*Functor_\w+|\w+Functor|\w+_functor|\w+Ops|Reduce(?:Add|Multiply|Maximum|Minimum))\b', 1, 's'), ''));
COMMENT ON MACRO kernel_detail IS 'The part of a kernel''s template arguments that tells it from others of the same template, or NULL.';

CREATE MACRO kernel_short(name) AS
    CASE
        WHEN kernel_detail(name) LIKE '%gemm%' THEN shorten(kernel_detail(name), 60)
        WHEN kernel_detail(name) IS NOT NULL THEN shorten(regexp_extract(short_name(name), '\w*$', 0) || ': ' || kernel_detail(name), 60)
        WHEN regexp_matches(short_name(name), '::\w{9,}$') THEN regexp_extract(short_name(name), '\w*$', 0)
        ELSE coalesce(nullif(regexp_extract(short_name(name), '(?:\w+::)?\w*$', 0), ''), short_name(name))
    END;
COMMENT ON MACRO kernel_short IS 'A kernel''s name as people say it, at most 60 characters: not unique.';

CREATE MACRO with_arguments(short, name) AS
    short || CASE WHEN length(short) + length(regexp_extract(name, '\([\w:<>*&, ]+\)$', 0)) <= 60
        THEN regexp_extract(name, '\([\w:<>*&, ]+\)$', 0) ELSE '' END;
COMMENT ON MACRO with_arguments IS 'The short name of a function with the types of its arguments, as its full name ends with them, where both have 60 characters at most: whether a value is volatile, or of double precision, shows there.';

CREATE MACRO enclosing_frames(r) AS TABLE
SELECT context, frame FROM enclosing_frame WHERE run = r;
COMMENT ON MACRO TABLE enclosing_frames IS 'The rows of table enclosing_frame of a run.';

CREATE MACRO frames(r) AS TABLE
SELECT frame, caller, depth, entry_point, key, name, lexical_type, called_file, called_line, "function", module_path, python
FROM frame
WHERE run = r;
COMMENT ON MACRO TABLE frames IS 'The rows of table frame of a run: what is called by what.';

CREATE MACRO frame_roles(r) AS TABLE
SELECT frame, owner, callee, waits_in, role FROM frame WHERE run = r;
COMMENT ON MACRO TABLE frame_roles IS 'The rows of table frame of a run: what each frame does.';

-- A copy to the host that is not asked for by a synchronous call waits all the same where the memory
-- of the host is not pinned, as for item() in PyTorch; with pinned memory the call takes no time.
CREATE MACRO reading_frames(r) AS TABLE
SELECT enclosing.frame
FROM gpu_context
JOIN enclosing_frames(r) AS enclosing ON enclosing.context = gpu_context.launcher
WHERE gpu_context.run = r
GROUP BY enclosing.frame
HAVING bool_or(gpu_context.operation = 'copy D2H') AND bool_and(gpu_context.operation = 'copy D2H' OR gpu_context.operation NOT LIKE 'copy%');
COMMENT ON MACRO TABLE reading_frames IS 'Frames that launch copies from a GPU to the host and no other copies.';

CREATE MACRO frame_cost(r, metric_name) AS TABLE
SELECT frames.*, coalesce(cost.exclusive, 0) AS exclusive, coalesce(cost.inclusive, 0) AS inclusive
FROM frames(r) AS frames
JOIN (
    SELECT context,
        sum(value) FILTER (WHERE scope = 'function') AS exclusive,
        sum(value) FILTER (WHERE scope = 'execution') AS inclusive
    FROM cost
    WHERE run = r AND name = metric_name AND scope IN ('function', 'execution')
    GROUP BY context
) AS cost ON cost.context = frames.frame;
COMMENT ON MACRO TABLE frame_cost IS 'Frames that have a cost of a metric, with what was spent in the frame itself and in all that it called.';

CREATE MACRO outermost_frames(r, keys) AS TABLE
WITH RECURSIVE bit AS (
    SELECT key, CAST(1 AS HUGEINT) << CAST(position - 1 AS INTEGER) AS mask
    FROM (SELECT unnest(keys) AS key, generate_subscripts(keys, 1) AS position)
),
frame AS MATERIALIZED (
    SELECT frames.frame, frames.caller, frames.key, coalesce(bit.mask, 0) AS mask
    FROM frames(r) AS frames LEFT JOIN bit ON bit.key = frames.key
),
walk AS (
    SELECT frame, key, mask, mask AS seen, mask <> 0 AS outermost FROM frame WHERE caller = 0
    UNION ALL
    SELECT frame.frame, frame.key, frame.mask, walk.seen | frame.mask,
        frame.mask <> 0 AND (walk.seen & frame.mask) = 0
    FROM walk JOIN frame ON frame.caller = walk.frame
)
SELECT frame, key FROM walk WHERE outermost;
COMMENT ON MACRO TABLE outermost_frames IS 'Frames of the given keys (120 at most) that lie in no other frame of the same key: inclusive cost summed over them counts recursion once.';

CREATE MACRO call_paths(r, targets) AS TABLE
WITH RECURSIVE frame AS MATERIALIZED (
    SELECT frames.frame, frames.caller, short_name(frames.name) AS name,
        frames.python,
        frames.name NOT LIKE '0x%' AND frames.name NOT LIKE '<%' AND frames.lexical_type NOT IN ('instruction', 'entry')
            AND NOT regexp_matches(coalesce(frames.module_path, ''), '/lib(i|g)?omp[-.\w]*$') AS named
    FROM frames(r) AS frames
),
walk AS (
    SELECT frame.frame AS target, frame.caller, 0 AS step, frame.name, frame.python, frame.named
    FROM (SELECT unnest(targets) AS target) AS wanted JOIN frame ON frame.frame = wanted.target
    UNION ALL
    SELECT walk.target, frame.caller, walk.step + 1, frame.name, frame.python, frame.named
    FROM walk JOIN frame ON frame.frame = walk.caller
),
ranked AS (
    SELECT *,
        row_number() OVER (PARTITION BY target ORDER BY python DESC, step) AS python_rank,
        step = min(step) FILTER (WHERE named AND NOT python AND step > 0) OVER (PARTITION BY target) AS nearest_named,
        bool_or(python) OVER (PARTITION BY target) AS has_python
    FROM walk
),
kept AS (
    SELECT *, lead(step) OVER (PARTITION BY target ORDER BY step) AS next_step
    FROM ranked
    WHERE step < CASE WHEN has_python THEN 2 ELSE 5 END
        OR nearest_named OR (python AND python_rank <= 3)
)
SELECT target AS frame,
    string_agg(CASE WHEN next_step > step + 1 THEN '… > ' ELSE '' END || name, ' > ' ORDER BY step DESC) AS path
FROM kept
GROUP BY target;
COMMENT ON MACRO TABLE call_paths IS 'Readable call path of each given frame, outermost first: the last five frames, or the last three Python frames and the last two of native code, always with the last caller in native code that has a name and is not OpenMP''s.';

CREATE MACRO call_tree(r, metric_name) AS TABLE
WITH RECURSIVE frame AS MATERIALIZED (
    SELECT frame, caller, key, name, inclusive FROM frame_cost(r, metric_name) WHERE inclusive > 0
),
member AS (
    SELECT frame, frame AS node, CAST(0 AS UINTEGER) AS parent, 1 AS depth, name, inclusive
    FROM frame
    WHERE caller = 0
    UNION ALL
    SELECT frame.frame, min(frame.frame) OVER same, member.node, member.depth + 1, frame.name, frame.inclusive
    FROM member JOIN frame ON frame.caller = member.frame
    WHERE member.depth < 40
    WINDOW same AS (PARTITION BY member.node, frame.key)
    QUALIFY sum(frame.inclusive) OVER same >= 0.005 * total_of(r, metric_name)
),
node AS (
    SELECT node, parent, depth, any_value(name) AS name, sum(inclusive ORDER BY frame) AS inclusive
    FROM member
    GROUP BY node, parent, depth
),
placed AS (
    SELECT *, sum(inclusive) OVER (PARTITION BY parent ORDER BY inclusive DESC, node) - inclusive AS offset_in_parent
    FROM node
),
drawn AS (
    SELECT *, offset_in_parent AS offset_in_run FROM placed WHERE parent = 0
    UNION ALL
    SELECT placed.*, drawn.offset_in_run + placed.offset_in_parent
    FROM drawn JOIN placed ON placed.parent = drawn.node
)
SELECT node AS context, parent, depth, name, inclusive AS cost,
    inclusive / total_of(r, metric_name) AS share,
    offset_in_run / total_of(r, metric_name) AS "left"
FROM drawn;
COMMENT ON MACRO TABLE call_tree IS 'Call tree of a metric by function: calls of the same function by the same caller merged, lines and loops folded into their function, without nodes below 0.5 % of the total or deeper than 40 frames. left is where a node begins in the whole run; entry points have parent 0.';

CREATE MACRO resident_share(threads, registers, shared, device) AS (
    SELECT least(
            floor(device.max_warps / block.warps),
            device.max_blocks,
            coalesce(floor(floor(device.registers / nullif(ceil(registers * device.warp_size / 256) * 256, 0) / 4) * 4 / block.warps), device.max_blocks),
            coalesce(floor(device.shared_memory / nullif(ceil((shared + block.reserved) / block.unit) * block.unit, 0)), device.max_blocks)
        ) * block.warps / device.max_warps
    FROM (
        SELECT ceil(threads / device.warp_size) AS warps,
            CASE WHEN device.compute_capability >= 8 THEN 1024 ELSE 0 END AS reserved,
            CASE WHEN device.compute_capability >= 8 THEN 128 ELSE 256 END AS unit
    ) AS block
);
COMMENT ON MACRO resident_share IS 'Theoretical occupancy [ratio] by NVIDIA''s rules: resident warps over the most a multiprocessor can hold, limited by warps, blocks, registers (allocated per warp in 256s, warps in fours) and shared memory (1,024 B reserved per block from compute capability 8 on).';

CREATE MACRO is_collective(name) AS
    coalesce(regexp_matches(name, '^(ncclDevKernel|ncclKernel|rccl|ncclDev)'), false);
COMMENT ON MACRO is_collective IS 'Whether a kernel is of a collective operation of NCCL or RCCL, by its name.';

CREATE MACRO kernel_kind(name) AS CASE
    WHEN is_collective(name) THEN 'collective'
    WHEN regexp_matches(lower(name), '(gemm|gemv|cutlass|xmma|wgrad|dgrad|convolve|cublas|cijk_|flash_(fwd|bwd)|fmha)') THEN 'library product'
    WHEN regexp_matches(lower(name), 'cudnn')
        AND NOT regexp_matches(lower(name), '(bn_(fw|bw)|norm|pooling|softmax|activation|dropout|op_?tensor|transpose|nchwtonhwc|nhwctonchw)') THEN 'library product'
    ELSE 'other'
END;
COMMENT ON MACRO kernel_kind IS 'What a kernel is by its name: a collective operation, a matrix product, convolution or attention of a library, or any other. The first two leave warp slots free on purpose: products hold large tiles in registers, collectives take few multiprocessors.';

CREATE MACRO uncounted_operations(r, count_name) AS TABLE
WITH traced AS (
    SELECT context, count(*) AS operations
    FROM gpu_operation
    WHERE run = r AND NOT coalesce(total_of(r, count_name) > 0, false)
    GROUP BY context
),
place AS (
    SELECT gpu_context.context, gpu_context.launcher, context_name.name, traced.operations,
        gpu_context.context IN (
            SELECT context FROM cost WHERE run = r AND scope = 'point' AND name = 'GPUOP (sec)' AND value > 0
        ) AS timed
    FROM gpu_context
    JOIN context_name ON context_name.run = r AND context_name.context = gpu_context.context
    LEFT JOIN traced ON traced.context = gpu_context.context
    WHERE gpu_context.run = r
)
SELECT any_value(context) FILTER (WHERE timed) AS context, sum(operations) AS operations
FROM place
WHERE timed OR operations > 0
GROUP BY launcher, name
HAVING count(*) FILTER (WHERE timed) = 1 AND sum(operations) > 0
UNION ALL
SELECT context, operations
FROM place
QUALIFY timed AND operations > 0 AND count(*) FILTER (WHERE timed) OVER (PARTITION BY launcher, name) > 1;
COMMENT ON MACRO TABLE uncounted_operations IS 'Operations of the trace per calling context with a time, in a run that counts none of a kind. The tool gives the trace contexts of its own, without values: they belong to the one of the same launcher and name, and to none where several have these.';

CREATE MACRO sampled_contexts(r) AS TABLE
SELECT context,
    sum(value) FILTER (WHERE name = 'GINS') AS samples,
    coalesce(sum(value) FILTER (WHERE name = 'GINS:STL_ANY'), 0) AS stalled,
    samples / at_once(sum(value) FILTER (WHERE name = 'GSAMP:TOT'), sum(value) FILTER (WHERE name = 'GSAMP:EXP'), multiprocessors(r)) AS independent
FROM cost
WHERE run = r AND scope = 'execution' AND name IN ('GINS', 'GINS:STL_ANY', 'GSAMP:TOT', 'GSAMP:EXP')
GROUP BY context;
COMMENT ON MACRO TABLE sampled_contexts IS 'PC samples of calling contexts and of all below them, those of them that were stalled, and how many are independent (at_once), each counted as one period of sampling.';

CREATE MACRO kernel_contexts(r) AS TABLE
SELECT * EXCLUDE (run) FROM kernel_context WHERE run = r;
COMMENT ON MACRO TABLE kernel_contexts IS 'The rows of table kernel_context of a run.';

CREATE MACRO kernel_names(r) AS TABLE
SELECT DISTINCT kernel, short FROM kernel_context WHERE run = r;
COMMENT ON MACRO TABLE kernel_names IS 'Short name of each kernel of a run, made unique by a number where kernels share one.';

CREATE MACRO copy_contexts(r) AS TABLE
SELECT copied.context, copied."time", coalesce(copied.counted, traced.operations) AS copies, copied.bytes,
    CASE copied.directions
        WHEN 0 THEN coalesce(nullif(regexp_extract(gpu_context.operation, '^copy (\w+)$', 1), ''), 'unknown')
        WHEN 1 THEN copied.only_direction
        ELSE 'mixed'
    END AS direction
FROM (
    SELECT context,
        coalesce(sum(value) FILTER (WHERE name = 'GXCOPY (sec)'), 0) AS "time",
        nullif(sum(value) FILTER (WHERE name = 'GXCOPY:COUNT'), 0) AS counted,
        sum(value) FILTER (WHERE name LIKE 'GXCOPY:% (B)') AS bytes,
        count(*) FILTER (WHERE name LIKE 'GXCOPY:% (B)' AND value > 0) AS directions,
        any_value(regexp_extract(name, ':(\w+)', 1)) FILTER (WHERE name LIKE 'GXCOPY:% (B)' AND value > 0) AS only_direction
    FROM cost
    WHERE run = r AND scope = 'point' AND (name LIKE 'GXCOPY:%' OR name = 'GXCOPY (sec)') AND context <> 0
    GROUP BY context
) AS copied
LEFT JOIN gpu_context ON gpu_context.run = r AND gpu_context.context = copied.context
LEFT JOIN uncounted_operations(r, 'GXCOPY:COUNT') AS traced ON traced.context = copied.context;
COMMENT ON MACRO TABLE copy_contexts IS 'Calling contexts that copied, as measured: time, copies, bytes, and the direction where all bytes of the context have the same one, or, without bytes, where the tool names it. The tool keeps time and count per context, not per direction; a run that counts no copies has their number from the trace.';

CREATE MACRO is_mpi_library(module_path) AS
    regexp_matches(
        parse_filename(coalesce(module_path, '')),
        '^(libmpi|libmpich|libopen-pal|libopen-rte|libpmix|libucp|libucs|libuct|libfabric|libpsm2)[-._]'
    );
COMMENT ON MACRO is_mpi_library IS 'Whether code is in a library of MPI or its transports.';

CREATE MACRO is_waiting(module_path, name) AS (
    is_mpi_library(module_path)
    OR regexp_matches(parse_filename(coalesce(module_path, '')), '^(libgomp|libiomp5|libomp|libkmp)[-._]')
    OR regexp_matches(
        name,
        '^(__GI_)?_*(libc_)?(futex|poll\b|ppoll\b|epoll_p?wait|p?select\b|clock_nanosleep|nanosleep|usleep\b|sched_yield|sem_\w*wait|new_sem_\w*wait|pthread_\w*(wait|join)|pthread_spin_lock|lll_lock_wait|sigwait|wait4\b|waitpid|waitid|blas_thread_server)'
    )
);
COMMENT ON MACRO is_waiting IS 'Whether a function waits or organises parallel work: in a library of OpenMP, MPI or its transports, or a call that blocks.';

CREATE MACRO is_gpu_runtime(module_path) AS
    regexp_matches(parse_filename(coalesce(module_path, '')), '^(libcuda|libcudart|libnvidia|libcupti|libamdhip64|libhsa-runtime64|libroctracer|libroctx|libze_|libnccl|librccl)[-._a-z0-9]*\.so');
COMMENT ON MACRO is_gpu_runtime IS 'Whether a module is a runtime or driver of a GPU, or its library for collectives: code that launches, copies and waits.';

CREATE MACRO is_gpu_wait(name) AS
    regexp_matches(name, '^(hpcrun_)?((cuda|hip)(Device|Stream|Event|Thread)Synchronize|cu(Ctx|Stream|Event)Synchronize|hsa_signal_wait|ze(CommandQueueSynchronize|CommandListHostSynchronize|FenceHostSynchronize|EventHostSynchronize)|cl(Finish|WaitForEvents))');
COMMENT ON MACRO is_gpu_wait IS 'Whether a function of a GPU''s runtime returns only when the GPU has done something: synchronisation of CUDA, HIP, Level Zero or OpenCL.';

CREATE MACRO source_path(path) AS
    CASE WHEN path NOT LIKE '[%' AND path NOT LIKE '<%' THEN regexp_replace(path, '^src/', '/') END;
COMMENT ON MACRO source_path IS 'Path of a source file as it was where the program ran: copies of the database lie below src. NULL where the tool names a module ([libm.so]) or no file (<string>, <frozen os>).';

CREATE MACRO is_installed(file, module) AS
    regexp_matches(coalesce(file, ''), '/(site|dist)-packages/|/lib(64)?/python\d|^/usr/(include|lib|lib64|local/cuda[^/]*|local/include)/|/tmpxft_[^/]*$')
    OR regexp_matches(coalesce(module, ''), '^(/usr)?/lib(32|64)?/|^/opt/(rocm|intel)|/lib(hpcrun|hpctoolkit|monitor)[^/]*$')
    OR is_gpu_runtime(module);
COMMENT ON MACRO is_installed IS 'Whether code came with the system, a compiler, a package of Python, a runtime or the profiler, by the paths of its file and module: nothing that the authors of a program would change.';

CREATE MACRO is_own(file, module) AS
    CASE WHEN coalesce(module, python_module()) = python_module() THEN
        coalesce(source_path(file) LIKE '%.py' AND NOT is_installed(source_path(file), NULL), false)
    ELSE
        NOT is_installed(source_path(file), module) AND NOT is_installed(module, NULL)
        AND NOT regexp_matches(
            parse_filename(module),
            '^(python[\d.]*$|libpython|ld-linux|.*\.vdso$|lib(c|m|stdc\+\+|gcc_s|torch|c10|mkl|openblas|scipy_openblas|blas|cblas|lapack|fftw3|numpy|dnnl|onednn|g?omp|iomp5|tbb|mpi|mpich|open-pal|open-rte|pmix|prrte|uc[cmpst]|uct_\w+|fabric|psm2|ibverbs|rdmacm|mlx[45]|event|event_\w+|hwloc|pthread|rt|dl|hdf5|netcdf|python|ittnotify)[-_.\d]|libtorch_|libmkl_|mca_)'
        )
    END;
COMMENT ON MACRO is_own IS 'Whether code is the program''s own, by the paths of its file and module: not installed (is_installed), not Python itself and no well-known library, wherever it was built.';

-- hpcrun marks that a sample came late, by more than five periods, with a point without a context one period
-- after the sample before: that is no sample.
CREATE MACRO elapsed_samples(r) AS TABLE
SELECT sample.profile, enclosing.frame, frame.role, sample.taken, sample.taken - sample.before AS distance
FROM (
    SELECT trace.profile, trace.context, CAST(trace."time" AS BIGINT) AS taken,
        lag(CAST(trace."time" AS BIGINT)) OVER (PARTITION BY trace.profile ORDER BY trace."time") AS before
    FROM trace
    JOIN trace_line AS line ON line.run = r AND line.profile = trace.profile AND line.clock = 'elapsed' AND line.kind = 'CPU thread'
    WHERE trace.run = r AND trace.context <> 0 AND cpu_event_of(r) = 'REALTIME (sec)'
) AS sample
LEFT JOIN enclosing_frame AS enclosing ON enclosing.run = r AND enclosing.context = sample.context
LEFT JOIN frame ON frame.run = r AND frame.frame = enclosing.frame;
COMMENT ON MACRO TABLE elapsed_samples IS 'Samples of CPU threads by elapsed time, where that is the CPU event: the frame they are in and what it does (frame.role), when they were taken, and their distance from the thread''s sample before, NULL of its first [ns].';

CREATE MACRO punctual_distances(r) AS TABLE
SELECT profile, CASE grouping(role) WHEN 0 THEN role ELSE 'any' END AS role, count(*) AS samples, quantile_cont(distance, 0.05) AS distance
FROM elapsed_samples(r)
WHERE distance > 0
GROUP BY GROUPING SETS ((profile, role), (profile))
HAVING count(*) >= 20;
COMMENT ON MACRO TABLE punctual_distances IS 'The punctual distance of a thread''s samples in frames of a role, and of any role: the one that one in twenty of its distances between samples of elapsed time is below, with their number, 20 or more [ns].';

CREATE MACRO sampled_cost(r) AS TABLE
WITH sample AS MATERIALIZED (
    SELECT sample.profile, sample.frame, sample.role, sample.distance / 1e9 AS distance, value.value AS spent
    FROM elapsed_samples(r) AS sample
    JOIN metric ON metric.run = r AND metric.name = 'REALTIME (sec)' AND metric.scope = 'function' AND metric.statistic IS NULL
    JOIN value ON value.run = r AND value.profile = sample.profile AND value.context = sample.frame AND value.metric = metric.id
)
SELECT sampled.profile, sampled.frame, sampled.role, sampled.samples, sampled.spent, punctual.distance / 1e9 AS punctual, spread.variance
FROM (SELECT profile, frame, role, spent, count(*) AS samples FROM sample GROUP BY ALL) AS sampled
JOIN (SELECT profile, role, var_samp(distance) AS variance FROM sample WHERE distance > 0 GROUP BY profile, role) AS spread
    ON spread.profile = sampled.profile AND spread.role = sampled.role
LEFT JOIN punctual_distances(r) AS punctual ON punctual.profile = sampled.profile AND punctual.role = sampled.role;
COMMENT ON MACRO TABLE sampled_cost IS 'Elapsed time charged to each CPU thread''s frames that have samples, with their number, the punctual distance of the thread''s samples of that role (punctual_distances; NULL where they are few) and the variance of their distances [s].';

CREATE MACRO around_inlined(r) AS TABLE
WITH RECURSIVE around AS (
    SELECT id AS frame, id AS code FROM context WHERE run = r AND relation NOT IN ('lexical', 'inlined call')
    UNION ALL
    SELECT inlined.id, around.code
    FROM around
    JOIN frame ON frame.run = r AND frame.caller = around.frame
    JOIN context AS inlined ON inlined.run = r AND inlined.id = frame.frame AND inlined.relation = 'inlined call'
)
FROM around;
COMMENT ON MACRO TABLE around_inlined IS 'Each call frame with the function that its code is compiled into: itself, or where it is inlined the closest frame around it that is not.';

CREATE MACRO hidden_waits(r) AS TABLE
WITH charged AS (
    SELECT DISTINCT value.profile, around.code
    FROM value
    JOIN metric ON metric.run = r AND metric.id = value.metric AND metric.name = 'REALTIME (sec)'
        AND metric.scope = 'function' AND metric.statistic IS NULL
    JOIN around_inlined(r) AS around ON around.frame = value.context
    WHERE value.run = r AND value.value > 0
)
SELECT sample.profile, frame.caller, sum(sample.distance) / 1e9 AS spent
FROM elapsed_samples(r) AS sample
JOIN around_inlined(r) AS around ON around.frame = sample.frame
JOIN frame ON frame.run = r AND frame.frame = around.code
JOIN frame AS outer_one ON outer_one.run = r AND outer_one.frame = frame.caller AND outer_one.module_path = python_module()
WHERE sample.role = 'waiting' AND NOT EXISTS (FROM charged WHERE charged.profile = sample.profile AND charged.code = around.code)
GROUP BY sample.profile, frame.caller
HAVING sum(sample.distance) > 0;
COMMENT ON MACRO TABLE hidden_waits IS 'Elapsed time of samples that wait in functions to which the thread''s profile charges nothing (around_inlined), right below a frame of Python: the profile charges it to that frame, or to one of Python that it calls [s].';

CREATE MACRO late_cost(r) AS TABLE
SELECT profile, frame, late, beyond FROM late_cost WHERE run = r;
COMMENT ON MACRO TABLE late_cost IS 'The rows of table late_cost of a run.';

CREATE MACRO cpu_frames(r) AS TABLE
SELECT frame.* EXCLUDE (run), cost.exclusive, cost.inclusive, cost.late, cost.beyond, cost.waits
FROM cpu_cost AS cost
JOIN frame ON frame.run = r AND frame.frame = cost.frame
WHERE cost.run = r;
COMMENT ON MACRO TABLE cpu_frames IS 'Call frames that have a CPU cost (cpu_cost).';

CREATE MACRO work_cost(r) AS TABLE
SELECT frame, key, owner, callee, exclusive AS spent, least(late, exclusive) AS late, exclusive - least(beyond, exclusive) AS work, waits
FROM cpu_frames(r)
WHERE role = 'working' AND exclusive > 0;
COMMENT ON MACRO TABLE work_cost IS 'CPU cost of frames that work (frame.role), how much of it came late, for a lower bound of the sum, and how much is work: elapsed time that came late, as the samples tell it, is none (late_cost). Of work of Python, waits may be waiting, at most.';

CREATE MACRO thread_work(r) AS TABLE
SELECT profile."index" AS profile, profile.rank, profile.thread, spent.work, spent.waits,
    coalesce(spent.work >= 0.01 * max(spent.work) OVER (PARTITION BY profile.rank), false) AS works
FROM profile
LEFT JOIN thread_cost AS spent ON spent.run = r AND spent.profile = profile."index"
WHERE profile.run = r AND profile.kind = 'CPU thread';
COMMENT ON MACRO TABLE thread_work IS 'CPU cost of each CPU thread without waiting, without a GPU''s runtime and without what came late (late_cost.beyond); a thread works that has at least 1 % of what the busiest thread of its rank has. Of its work, waits may be waiting that the profile charges to Python, at most.';

CREATE MACRO event_period(r, event) AS (
    SELECT CASE WHEN bool_and(value = floor(value) AND value < 9e18) THEN
        nullif(list_reduce(list(coalesce(try_cast(value AS BIGINT), 1)), lambda a, b: gcd(a, b)), 1) END
    FROM cost WHERE run = r AND scope = 'point' AND name = event AND value > 0 AND (name LIKE 'perf::%' OR name LIKE 'PAPI_%')
);
COMMENT ON MACRO event_period IS 'What each sample of an event of perf or PAPI stands for, at most: what divides all its values. NULL where that is 1, as with samples at a given frequency, whose periods differ.';

CREATE MACRO cpu_sample_number(r, profiles) AS (
    SELECT CASE cpu_event_of(r) WHEN 'CPUTIME (sec)' THEN sum(line.active)
        WHEN 'REALTIME (sec)' THEN sum(weight.total) * sum(weight.total) / nullif(sum(weight.squares), 0) END
    FROM trace_line AS line
    LEFT JOIN (
        SELECT profile, sum(CAST(distance AS DOUBLE)) AS total, sum(CAST(distance AS DOUBLE) * distance) AS squares
        FROM elapsed_samples(r) GROUP BY profile
    ) AS weight ON weight.profile = line.profile
    WHERE line.run = r AND line.kind = 'CPU thread' AND (profiles IS NULL OR list_contains(profiles, line.profile))
);
COMMENT ON MACRO cpu_sample_number IS 'Samples behind CPU cost of given profiles (NULL: all), as their traces show them. With CPUTIME every sample stands for one period, so it is their number; with REALTIME each stands for the time since the last one, so it is the number of equal samples of the same variance (Kish), (sum of d)² / sum of d². NULL without a trace and for other events.';

CREATE MACRO cost_samples(r) AS coalesce(cpu_sample_number(r, NULL), total_of(r, cpu_event_of(r)) / event_period(r, cpu_event_of(r)));
COMMENT ON MACRO cost_samples IS 'Samples behind the CPU cost of a run: cpu_sample_number, else of an event that perf or PAPI samples with a fixed period at least its total over event_period; NULL where nothing tells.';

-- Where threads may have less work by their waits, the largest over the mean is least where no thread has more than the one that
-- has most without any, and largest where one thread has none and all others have all of theirs.
-- Of T threads with m samples each and the same work, the busiest seems to have 1 + sqrt(2 ln T / m) times the mean, by
-- chance (the expected maximum of normal variables: Boucheron, Lugosi, Massart, Concentration Inequalities, 2013, 2.5).
CREATE MACRO thread_balance(r) AS TABLE
WITH taken AS (
    SELECT line.profile, CASE cpu_event_of(r) WHEN 'CPUTIME (sec)' THEN line.active
        WHEN 'REALTIME (sec)' THEN weight.total * weight.total / nullif(weight.squares, 0) END AS samples
    FROM trace_line AS line
    LEFT JOIN (
        SELECT profile, sum(CAST(distance AS DOUBLE)) AS total, sum(CAST(distance AS DOUBLE) * distance) AS squares
        FROM elapsed_samples(r) GROUP BY profile
    ) AS weight ON weight.profile = line.profile
    WHERE line.run = r AND line.kind = 'CPU thread'
)
SELECT thread.rank, max(thread.work) / avg(thread.work) AS imbalance, count(*) AS threads,
    CASE WHEN any_value(total.waits) > 0 THEN least(any_value(total.least) * count(*) / nullif(sum(least(thread.work, total.least)), 0), max(thread.work) / avg(thread.work)) END AS imbalance_low,
    CASE WHEN any_value(total.waits) > 0 THEN greatest(count(*) * max(thread.work / nullif(total.rest + thread.waits, 0)), max(thread.work) / avg(thread.work)) END AS imbalance_high
FROM thread_work(r) AS thread
JOIN (
    SELECT rank, sum(waits) AS waits, sum(work - waits) AS rest, max(work - waits) AS least
    FROM thread_work(r) WHERE works GROUP BY rank
) AS total ON total.rank IS NOT DISTINCT FROM thread.rank
LEFT JOIN profile_total AS spent ON spent.run = r AND spent.profile = thread.profile AND spent.name = cpu_event_of(r)
LEFT JOIN taken ON taken.profile = thread.profile
WHERE thread.works
GROUP BY thread.rank
HAVING count(*) > 1 AND coalesce(avg(taken.samples * least(thread.work / spent.value, 1)) >= 2 * ln(count(*)) / (0.25 * 0.25), true);
COMMENT ON MACRO TABLE thread_balance IS 'Largest work of a thread that works over their mean, by rank (see thread_work): of ranks with two such threads, and with as many samples of work per thread that chance alone does not give 1.25, where a trace tells them. Ends are those of which waits charged to Python (thread_cost.waits) are some: each thread may have all of them, or none; NULL without any.';

CREATE MACRO cost_share(r, of) AS TABLE
SELECT value, binomial_low(value * n, n) AS low, binomial_high(value * n, n) AS high, n
FROM (
    SELECT coalesce(sum(exclusive) FILTER (WHERE role = of), 0) / sum(exclusive) AS value, cost_samples(r) AS n
    FROM cpu_frames(r)
    HAVING sum(exclusive) > 0
);
COMMENT ON MACRO TABLE cost_share IS 'Share of CPU cost in frames of a role (frame.role) with its 95 % interval, where a trace tells the number of samples (cpu_sample_number); no row without a cost.';

CREATE MACRO work_of(r) AS (
    SELECT sum(exclusive) FROM cpu_frames(r) WHERE role = 'working'
);
COMMENT ON MACRO work_of IS 'CPU cost of a run without waiting and without the runtime of a GPU; with what came late (late_cost).';

CREATE MACRO share_without(share, part) AS coalesce((share - part) / nullif(1 - part, 0), 0);
COMMENT ON MACRO share_without IS 'What a share is of the rest, where a part of the whole that lies in it is none of either.';

CREATE MACRO own_functions(r) AS TABLE
WITH spent AS MATERIALIZED (
    SELECT *, sum(work) OVER () AS all_work, sum(spent) OVER () AS all_spent, sum(waits) OVER () AS all_waits FROM work_cost(r)
),
part AS (
    SELECT owner, callee, sum(work) AS work, coalesce(sum(work) FILTER (WHERE key = owner), 0) AS own,
        sum(work) / any_value(all_work) AS share, sum(spent) / any_value(all_spent) AS share_with_late,
        sum(waits) AS waits, any_value(all_work) AS all_work, any_value(all_spent) AS all_spent, any_value(all_waits) AS all_waits
    FROM spent
    WHERE owner IS NOT NULL
    GROUP BY owner, callee
),
ranked AS (
    SELECT owner, sum(work) AS work, sum(own) AS own, sum(share) AS share, sum(share_with_late) AS share_with_late,
        sum(waits) AS waits, any_value(all_work) AS all_work, any_value(all_spent) AS all_spent, any_value(all_waits) - sum(waits) AS others,
        arg_max(callee, work) FILTER (WHERE callee IS NOT NULL AND work > 0) AS callee
    FROM part
    GROUP BY owner
    HAVING sum(work) > 0
),
bounded AS (
    SELECT *, least(share_without(share, waits / all_work), share_without(share_with_late, waits / all_spent)) AS least_share,
        least(greatest(share / (1 - others / all_work), share_with_late / (1 - others / all_spent)), 1) AS most_share
    FROM ranked
),
example AS (
    SELECT key, arg_min(frames, frame) AS frame FROM frames(r) AS frames WHERE key IN (SELECT owner FROM ranked) GROUP BY key
)
SELECT ranked.owner AS key, example.frame.name AS "function", example.frame.module_path AS module,
    source_path(coalesce(file.path, example.frame.called_file)) AS file, nullif(defined.line, 0) AS line,
    ranked.work, ranked.own, ranked.share, ranked.share_with_late, nullif(ranked.waits, 0) AS waits, ranked.least_share, ranked.most_share,
    CASE WHEN ranked.waits > 0 OR ranked.others > 0 THEN ranked.least_share - coalesce(max(ranked.most_share) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE CURRENT ROW), 0) END AS ahead,
    short_name(ranked.callee) AS callee
FROM bounded AS ranked
JOIN example ON example.key = ranked.owner
LEFT JOIN "function" AS defined ON defined.run = r AND defined.id = example.frame."function"
LEFT JOIN file ON file.run = r AND file.id = defined.file;
COMMENT ON MACRO TABLE own_functions IS 'Work of each function of the program itself (is_own): of its own code and of code of libraries that it calls, up to the next function of the program; its share of all work (work_cost), the share with what came late, how much of its work is waits at most, where any is, and the library''s function that it calls with the largest part. Its share is no less than least_share and no more than most_share, whatever of the work of Python waits and of what came late works; ahead is the least by which it leads all others then (below 0: not certain), NULL where Python has no waits.';

CREATE MACRO host_stubs(r) AS TABLE
SELECT frame AS context FROM frame WHERE run = r AND stub;
COMMENT ON MACRO TABLE host_stubs IS 'Frames that are host stubs of kernels: see table frame.';

CREATE MACRO source_places(r, targets) AS TABLE
SELECT context, file, line, module FROM source_place WHERE run = r AND context IN (SELECT unnest(targets));
COMMENT ON MACRO TABLE source_places IS 'Where in the sources given contexts are: the rows of table source_place.';

CREATE MACRO calling_lines(r, costs) AS TABLE
WITH largest AS (
    SELECT each.key, each.frame, each.cost, each.whole
    FROM unnest(costs) AS spent(each)
    QUALIFY row_number() OVER (PARTITION BY each.key ORDER BY each.cost DESC, each.frame) <= 20
)
SELECT largest.key, known.file, known.line
FROM largest
JOIN source_places(r, (SELECT list(frame) FROM largest)) AS known ON known.context = largest.frame
WHERE known.file IS NOT NULL
GROUP BY largest.key, known.file, known.line
HAVING sum(largest.cost) >= 0.5 * any_value(largest.whole)
QUALIFY row_number() OVER (PARTITION BY largest.key ORDER BY sum(largest.cost) DESC, known.file, known.line) = 1;
COMMENT ON MACRO TABLE calling_lines IS 'The line that calls what has a key, where one line has half of its whole cost or more (source_places), by the 20 costliest of its calling contexts: costs lists structs of key, frame, cost and whole.';

CREATE MACRO costliest_functions(r, of, number) AS TABLE
WITH spent AS MATERIALIZED (
    SELECT * REPLACE (exclusive - CASE WHEN of = 'working' AND role = 'working' THEN least(beyond, exclusive) ELSE 0 END AS exclusive)
    FROM cpu_frames(r)
),
ranked AS (
    SELECT key, min(frame) AS example, sum(exclusive) AS exclusive, sum(waits) AS waits, row_number() OVER (ORDER BY sum(exclusive) DESC, key) AS rank
    FROM spent
    WHERE of IN ('all', role)
    GROUP BY key
    HAVING sum(exclusive) > 0
),
top AS (
    SELECT * FROM ranked WHERE rank <= number
),
reached AS (
    SELECT spent.key, sum(spent.inclusive) AS inclusive
    FROM spent
    JOIN outermost_frames(r, (SELECT list(key) FROM top)) AS outermost ON outermost.frame = spent.frame
    GROUP BY spent.key
),
place AS (
    FROM calling_lines(r, (
        SELECT list({'key': spent.key, 'frame': spent.frame, 'cost': spent.exclusive, 'whole': top.exclusive})
        FROM spent JOIN top ON top.key = spent.key
    ))
)
SELECT top.key, spent.name AS "function", spent.module_path AS module,
    own.file, CASE WHEN own.file IS NOT NULL THEN nullif(defined.line, 0) END AS line,
    CASE WHEN place.file IS DISTINCT FROM own.file THEN place.file END AS called_file,
    CASE WHEN place.file IS DISTINCT FROM own.file THEN place.line END AS called_line,
    top.exclusive, reached.inclusive, nullif(top.waits, 0) AS waits,
    CASE WHEN sum(top.waits) OVER () > 0 THEN top.exclusive - top.waits - coalesce(max(top.exclusive) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE CURRENT ROW), 0) END AS ahead,
    top.exclusive / total_of(r, cpu_event_of(r)) AS exclusive_share,
    reached.inclusive / total_of(r, cpu_event_of(r)) AS inclusive_share
FROM top
JOIN reached ON reached.key = top.key
JOIN spent ON spent.frame = top.example
LEFT JOIN "function" AS defined ON defined.run = r AND defined.id = spent."function"
LEFT JOIN file ON file.run = r AND file.id = defined.file
CROSS JOIN LATERAL (SELECT source_path(coalesce(file.path, spent.called_file)) AS file) AS own
LEFT JOIN place ON place.key = top.key;
COMMENT ON MACRO TABLE costliest_functions IS 'Functions with the highest exclusive CPU cost (120 at most), of those that wait, that work (frame_roles) or of all: of is waiting, working (by work_cost) or all. Shares are of all cost. waits is how much of it waits at most, of Python (cpu_cost); ahead is the least by which it leads all others then, NULL where Python has no waits. called_file and called_line say which line calls it (source_places), unless that is in the file that defines it: of its 20 costliest calling contexts, the line with half of its cost or more, if there is one.';

CREATE MACRO main_threads(r) AS TABLE
WITH entered AS (
    SELECT DISTINCT spent.profile
    FROM cpu_time AS spent
    JOIN context ON context.run = r AND context.id = spent.context AND context.entry_point = 'main thread'
    WHERE spent.run = r
)
SELECT rank, arg_min("index", (coalesce(thread, 0), entered.profile IS NULL, "index")) AS profile
FROM profile LEFT JOIN entered ON entered.profile = profile."index"
WHERE run = r AND kind = 'CPU thread'
GROUP BY rank;
COMMENT ON MACRO TABLE main_threads IS 'The main threads of a run: the lowest-numbered CPU thread of each rank, or of the run where there are no ranks; where profiles have no numbers, as without profile.db, the one that is sampled below the entry point main thread.';

CREATE MACRO helpers_waiting(r) AS TABLE
WITH RECURSIVE main AS (
    FROM main_threads(r)
),
frame AS MATERIALIZED (
    SELECT frame, caller, name, module_path, is_waiting(module_path, name) OR role = 'waiting' AS waits FROM frame WHERE run = r
),
spent AS MATERIALIZED (
    SELECT value.profile, value.context AS frame, value.value AS cost
    FROM value
    JOIN metric ON metric.run = r AND metric.id = value.metric
    JOIN profile ON profile.run = r AND profile."index" = value.profile AND profile.kind = 'CPU thread'
    JOIN frame ON frame.frame = value.context
    WHERE value.run = r AND metric.name = 'REALTIME (sec)' AND metric.scope = 'function'
        AND value.profile NOT IN (SELECT profile FROM main) AND frame.waits
),
walk AS (
    SELECT frame AS target, frame AS frame, 0 AS step FROM (SELECT DISTINCT frame FROM spent)
    UNION ALL
    SELECT walk.target, frame.caller, walk.step + 1 FROM walk JOIN frame ON frame.frame = walk.frame
),
called AS (
    SELECT walk.target, arg_min(frame.module_path, walk.step) AS caller
    FROM walk JOIN frame ON frame.frame = walk.frame
    WHERE NOT regexp_matches(parse_filename(coalesce(frame.module_path, '')), '^(lib(c|pthread)[-.]|libhpcrun|libmonitor|libevent|\[|$)|vdso')
    GROUP BY walk.target
)
SELECT spent.profile, spent.frame, frame.name AS "function", called.caller, spent.cost
FROM spent
JOIN frame ON frame.frame = spent.frame
LEFT JOIN called ON called.target = spent.frame;
COMMENT ON MACRO TABLE helpers_waiting IS 'Elapsed time that waits (is_waiting, frame.role) on threads other than the lowest-numbered one of each rank, by thread and frame, with the first module on the calling path that is no part of the system''s C library [s].';

CREATE MACRO mpi_by_rank(r) AS TABLE
WITH RECURSIVE main AS (
    FROM main_threads(r) WHERE rank IS NOT NULL
),
calls AS MATERIALIZED (
    SELECT frames.frame, frames.caller, regexp_matches(frames.name, '^(hpcrun_)?P?MPI_[A-Z]') AS is_mpi,
        is_waiting(frames.module_path, frames.name) AS waits
    FROM frames(r) AS frames
),
inside AS (
    SELECT frame, caller FROM calls WHERE is_mpi
    UNION
    SELECT calls.frame, calls.caller FROM inside JOIN calls ON calls.caller = inside.frame
),
counted AS (
    SELECT frame, 'execution' AS scope FROM inside WHERE caller NOT IN (SELECT frame FROM inside)
    UNION ALL
    SELECT frame, 'function' FROM calls WHERE waits AND frame NOT IN (SELECT frame FROM inside)
),
spent AS (
    SELECT value.profile, sum(value.value) FILTER (WHERE counted.scope = 'execution') AS mpi,
        sum(value.value) FILTER (WHERE counted.scope = 'function') AS waiting
    FROM value
    JOIN metric ON metric.run = r AND metric.id = value.metric
    JOIN counted ON counted.frame = value.context AND counted.scope = metric.scope
    WHERE value.run = r AND metric.name = cpu_event_of(r)
    GROUP BY value.profile
),
held AS (
    SELECT late.profile, sum(late.beyond) AS late
    FROM late_cost(r) AS late JOIN calls ON calls.frame = late.frame
    WHERE NOT calls.waits AND late.frame NOT IN (SELECT frame FROM inside)
    GROUP BY late.profile
),
by_rank AS (
    SELECT main.rank, coalesce(held.late, 0) AS held, profile_total.value AS cost, least(coalesce(spent.mpi, 0), profile_total.value) AS mpi,
        least(coalesce(spent.waiting, 0), profile_total.value - least(coalesce(spent.mpi, 0), profile_total.value)) AS waiting
    FROM main
    JOIN profile_total ON profile_total.run = r AND profile_total.profile = main.profile
    LEFT JOIN spent ON spent.profile = main.profile
    LEFT JOIN held ON held.profile = main.profile
    WHERE profile_total.name = cpu_event_of(r) AND profile_total.value > 0
)
SELECT rank, cost, mpi, waiting, cost - mpi - waiting AS outside, least(held, cost - mpi - waiting) AS late,
    cost - mpi - waiting - least(held, cost - mpi - waiting) AS computing
FROM by_rank
WHERE (SELECT count(*) FROM by_rank) > 1 AND (SELECT sum(mpi) FROM by_rank) > 0;
COMMENT ON MACRO TABLE mpi_by_rank IS 'CPU cost of each rank''s main thread, the part of it in calls of MPI (also those that HPCToolkit wraps), the part in functions that wait outside of them (is_waiting), and the rest, outside: of it what came late (late_cost.beyond) and computing, as in thread_work; no row where fewer than two ranks have a cost or none was sampled in MPI. Functions of MPI that others call do not count twice.';

CREATE MACRO sampled_share(r, part, whole) AS TABLE
SELECT part_total / nullif(whole_total, 0) AS value,
    binomial_low(part_total / per_one, whole_total / per_one) AS low,
    binomial_high(part_total / per_one, whole_total / per_one) AS high,
    whole_total / per_one AS n
FROM (
    SELECT total_of(r, part) AS part_total, total_of(r, whole) AS whole_total, sample_period(r) * samples_at_once(r) AS per_one
);
COMMENT ON MACRO TABLE sampled_share IS 'Share of two totals of PC samples with its 95 % interval; n is independent samples (samples_at_once).';

CREATE VIEW stall_reason AS
SELECT * FROM (
    VALUES
        ('GMEM', 'global memory'), ('CMEM', 'constant memory'), ('TMEM', 'texture memory'),
        ('IDEP', 'instruction dependency'), ('IFET', 'instruction fetch'), ('SYNC', 'synchronisation'),
        ('PIPE', 'pipeline busy'), ('MTHR', 'memory throttle'), ('NSEL', 'not selected'),
        ('SLP', 'sleeping'), ('OTHR', 'other')
) AS reason(code, words);
COMMENT ON VIEW stall_reason IS 'The reasons why a GPU scheduler issues nothing, by the code in GINS:STL_<code>. ANY is their sum; NONE is no stall.';

CREATE MACRO device_peak(r) AS TABLE
SELECT upper(setting.value) AS precision, CASE lower(setting.value)
    WHEN 'fp64' THEN greatest(hardware.fp64_flops, hardware.fp64_tensor_flops)
    WHEN 'fp32' THEN hardware.fp32_flops
    WHEN 'tf32' THEN hardware.tf32_flops
    WHEN 'fp16' THEN hardware.fp16_flops
    WHEN 'bf16' THEN hardware.fp16_flops
    WHEN 'fp8' THEN hardware.fp8_flops
    END AS peak
FROM setting
JOIN run ON run.run = setting.run
JOIN hardware ON hardware.name = run.hardware
WHERE setting.run = r AND setting.key = 'workload.precision';
COMMENT ON MACRO TABLE device_peak IS 'The precision that profile.toml gives the model, and the peak of the device at it without sparsity, NULL where that is not known [FLOP/s].';
