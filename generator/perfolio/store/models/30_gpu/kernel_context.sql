/*---
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
