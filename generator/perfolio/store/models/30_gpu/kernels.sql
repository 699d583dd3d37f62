/*---
name: kernel_context
about: >-
  Calling contexts that kernels ran in, as measured, means per launch.
when: FROM metric WHERE measure LIKE 'kernel\_%' ESCAPE '\'
columns:
  context: UINTEGER; Calling context [id]
  kernel: VARCHAR; Name of the kernel, at most 2,000 characters; of kernels without one, of what launched them [text]
  short: VARCHAR; Short name, made unique by a number where kernels share one [text]
  named: "BOOLEAN; Whether the profile holds the kernel's name"
  time: DOUBLE; Time [s]
  launches: DOUBLE?; Launches, from the trace in a run that counts none [count]
  registers: DOUBLE?; Registers per thread [count]
  threads: DOUBLE?; Threads per block [count]
  static_shared: DOUBLE?; Static shared memory per block [B]
  dynamic_shared: DOUBLE?; Dynamic shared memory per block [B]
  occupancy: >-
    DOUBLE?; Theoretical occupancy, where the hardware is known; NULL where not a single block fits, since such
    a launch fails: what was recorded is then wrong [ratio]
---*/
-- Contexts of kernels as measured, with means per launch.
WITH RECURSIVE info AS (
    SELECT context,
        sum(value) FILTER (WHERE name = 'kernel_time') AS "time",
        nullif(sum(value) FILTER (WHERE name = 'kernel_launches'), 0) AS counted,
        sum(value) FILTER (WHERE name = 'kernel_thread_registers') AS registers,
        sum(value) FILTER (WHERE name = 'kernel_block_threads') AS threads,
        coalesce(sum(value) FILTER (WHERE name = 'kernel_static_shared'), 0) AS static_shared,
        coalesce(sum(value) FILTER (WHERE name = 'kernel_dynamic_shared'), 0) AS dynamic_shared,
        coalesce(sum(value) FILTER (WHERE name = 'kernel_shared'), 0) AS shared
    FROM cost WHERE scope = 'point' AND name LIKE 'kernel\_%' ESCAPE '\' AND context <> 0 GROUP BY context
),
caller AS (
    SELECT context AS kernel, parent AS place, 0 AS step
    FROM context_name WHERE name = '<gpu kernel>' AND context IN (SELECT context FROM info)
    UNION ALL
    SELECT caller.kernel, context.parent, caller.step + 1
    FROM caller JOIN context ON context.id = caller.place WHERE context.parent <> 0
),
launcher AS (
    SELECT caller.kernel,
        arg_min(context_name.name, caller.step + CASE
            WHEN context_name.lexical_type = 'entry' THEN 200000
            WHEN gpu_runtime(context_name.name, context_name.module_path) THEN 100000
            ELSE 0
        END) AS name
    FROM caller JOIN context_name ON context_name.context = caller.place AND context_name.relation <> 'lexical'
    GROUP BY caller.kernel
),
named AS (
    SELECT info.context,
        CASE context_name.name
            WHEN '<gpu kernel>' THEN 'kernels without a name, launched by ' || coalesce(launcher.name, '?')
            ELSE coalesce(context_name.name, 'kernel in a context that meta.db does not list')
        END AS kernel,
        CASE context_name.name
            WHEN '<gpu kernel>' THEN coalesce(launcher.name, '?')
            ELSE coalesce(context_name.name, 'kernel in a context that meta.db does not list')
        END AS called,
        context_name.name IS DISTINCT FROM '<gpu kernel>' AS named,
        coalesce(info."time", 0) AS "time", coalesce(info.counted, traced.operations) AS launches,
        info.registers / info.counted AS registers, info.threads / info.counted AS threads,
        info.static_shared / info.counted AS static_shared, info.dynamic_shared / info.counted AS dynamic_shared,
        (info.static_shared + info.dynamic_shared + info.shared) / info.counted AS shared
    FROM info
    LEFT JOIN traced_operations AS traced
        ON traced.context = info.context AND NOT total_of('kernel_launches') > 0
    LEFT JOIN context_name ON context_name.context = info.context
    LEFT JOIN launcher ON launcher.kernel = info.context
),
parts AS (
    SELECT *, short_name(called) AS brief, kernel_detail(called) AS detail FROM named
),
worded AS (
    SELECT *, CASE WHEN named THEN kernel_short(brief, detail) ELSE shorten('unnamed kernels of ' || brief, 60) END AS short
    FROM parts
),
numbered AS (
    SELECT kernel, row_number() OVER (PARTITION BY any_value(short) ORDER BY sum("time" ORDER BY context) DESC, kernel) AS position
    FROM worded GROUP BY kernel
)
SELECT named.context, left(named.kernel, 2000) AS kernel,
    named.short || CASE WHEN numbered.position > 1 THEN ' (' || numbered.position || ')' ELSE '' END AS short,
    named.named, named."time", named.launches, named.registers, named.threads, named.static_shared, named.dynamic_shared,
    nullif(
        resident_share(named.threads, named.registers, named.shared, device), 0
    ) AS occupancy
FROM worded AS named
JOIN numbered ON numbered.kernel = named.kernel
LEFT JOIN (SELECT hardware.* FROM hardware JOIN run ON run.hardware = hardware.name) AS device ON true

/*---
name: kernel_class
about: >-
  What class of work a kernel does, one row for each calling context of kernels: the only place that decides it. What a compiler fused
  comes first. Then communication, by the kernel's name (kernel_pattern), by what the tool recorded of a collective (attribute), or,
  where the name tells nothing, by the operator, range or library that launched it (attribute); then any other class, by name; else it
  is other. `kind` is collective, library product or other. `told` is name, attribute, or NULL where nothing tells the class. `moves`:
  whether its work is a few operations for each value that it reads, so that memory's rate decides how long it takes.
---*/
WITH RECURSIVE named AS MATERIALIZED (
    SELECT ran.context, left(coalesce(context_name.function_name, context_name.name), 2000) AS name
    FROM (SELECT context FROM kernel_context UNION SELECT context FROM gpu_operation WHERE operation = 'kernel') AS ran
    LEFT JOIN context_name ON context_name.context = ran.context
),
ruled AS MATERIALIZED (
    SELECT name, kernel_rule(name) AS rank FROM (SELECT DISTINCT name FROM named)
),
asked AS MATERIALIZED (
    SELECT DISTINCT ran.context FROM collective JOIN gpu_operation AS ran ON ran.profile = collective.profile AND ran.start = collective.start
    WHERE ran.operation = 'kernel'
),
-- From a kernel that no name tells up to what launched it, by way of calls of the GPU's runtime.
above AS (
    SELECT named.context, gpu_context.launcher AS place, 0 AS step
    FROM named JOIN ruled ON ruled.name = named.name AND ruled.rank IS NULL JOIN gpu_context ON gpu_context.context = named.context
    UNION ALL
    SELECT above.context, frame.parent, above.step + 1
    FROM above JOIN context_name AS frame ON frame.context = above.place
    WHERE above.step < 8 AND gpu_runtime(frame.name, frame.module_path)
),
launched AS MATERIALIZED (
    SELECT above.context
    FROM (SELECT context, arg_max(place, step) AS place FROM above GROUP BY context) AS above
    JOIN context_name AS frame ON frame.context = above.place
    WHERE EXISTS (FROM operator_pattern AS pattern WHERE pattern.kind = 'collective' AND regexp_matches(frame.name, pattern.pattern))
        OR regexp_matches(parse_filename(coalesce(frame.module_path, '')), '^lib(nccl|rccl|nvshmem|mscclpp|msccl|rocshmem)\w*[-._]')
),
told AS (
    SELECT named.context, pattern.class, pattern.kind,
        asked.context IS NOT NULL OR launched.context IS NOT NULL AS by_attribute
    FROM named
    LEFT JOIN ruled ON ruled.name = named.name
    LEFT JOIN kernel_pattern AS pattern ON pattern.rank = ruled.rank
    LEFT JOIN asked ON asked.context = named.context
    LEFT JOIN launched ON launched.context = named.context
)
SELECT context, CASE WHEN by_attribute THEN 'collective' ELSE coalesce(class, 'other') END AS class,
    CASE WHEN by_attribute THEN 'collective' ELSE coalesce(kind, 'other') END AS kind,
    CASE WHEN by_attribute AND class IS DISTINCT FROM 'collective' THEN 'attribute' WHEN class <> 'other' THEN 'name' END AS told,
    NOT by_attribute AND coalesce(class IN ('element-wise', 'cast or copy', 'normalisation', 'reduction'), false) AS moves
FROM told

/*---
name: kernel_launch
about: >-
  Kernels that a call of their own launched, with the call: no kernels of graphs, of which one call launches many
  [ns].
---*/
SELECT ran.profile, stream.device, ran.start, ran.duration, call.profile AS thread, call.start AS called, call.duration AS calling,
    call.name AS "function", call.context
FROM gpu_operation AS ran
JOIN gpu_stream AS stream ON stream.profile = ran.profile
JOIN host_call AS call ON call.id = ran.call
WHERE ran.operation = 'kernel' AND regexp_matches(call.name, '(?i)launch') AND NOT regexp_matches(call.name, '(?i)graph')
