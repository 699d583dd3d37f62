/*---
about: >-
  What a run holds, in the words in which metrics say what they need: names of metrics, values, profiles, ranks,
  trace, cpu_trace, gpu_trace, gpu_operations, kernels, copies and launches (by values or the trace),
  kernel_lines (lines of sources in GPU code), what witnesses of other tools tell, iterations, graphs (launched by the program and not recorded),
  unsampled (no PC samples), launching, cpu_event, settings, hardware and its columns.
---*/
-- Every run is asked for this, and one row of a table at most takes less planning than whether there is one.
SELECT name AS need FROM collected WHERE EXISTS (FROM summary)
UNION ALL (SELECT 'values' FROM summary LIMIT 1) UNION ALL (SELECT 'profiles' FROM value LIMIT 1)
UNION ALL (SELECT 'ranks' FROM profile WHERE rank IS NOT NULL LIMIT 1) UNION ALL (SELECT 'trace' FROM trace_line LIMIT 1)
UNION ALL (SELECT 'cpu_trace' FROM trace_line WHERE kind = 'CPU thread' AND active > 0 LIMIT 1)
UNION ALL (SELECT 'host_samples' FROM trace_line WHERE clock IN ('running', 'elapsed') AND active > 0 LIMIT 1)
UNION ALL (SELECT 'host_call' FROM host_call LIMIT 1) UNION ALL (SELECT 'operators' FROM host_range WHERE kind = 'operator' LIMIT 1)
UNION ALL (SELECT 'steps' FROM host_range WHERE kind = 'step' LIMIT 1)
UNION ALL (SELECT 'shapes' FROM host_range WHERE shapes IS NOT NULL LIMIT 1)
UNION ALL (SELECT 'types' FROM host_range WHERE types IS NOT NULL LIMIT 1) UNION ALL (SELECT 'memory' FROM memory_event LIMIT 1)
UNION ALL (SELECT 'collectives' FROM collective LIMIT 1) UNION ALL (SELECT 'counters' FROM kernel_counter LIMIT 1)
UNION ALL (SELECT 'counted_operations' FROM kernel_counter WHERE regexp_matches(metric, '_op_ffma_pred_on[.]sum|^flop_fp32$') LIMIT 1)
UNION ALL (SELECT 'counter_rules' FROM counter_rule LIMIT 1) UNION ALL (SELECT 'device_samples' FROM device_sample LIMIT 1)
UNION ALL (SELECT 'collective_tests' FROM collective_block LIMIT 1)
UNION ALL (SELECT 'collective_samples' FROM collective_sample LIMIT 1) UNION ALL (SELECT 'witnesses' FROM witness LIMIT 1)
UNION ALL (SELECT 'told_figures' FROM told_figure LIMIT 1) UNION ALL (SELECT 'throughput' FROM throughput_row LIMIT 1)
UNION ALL SELECT 'memory_snapshot' WHERE EXISTS (FROM memory_segment) OR EXISTS (FROM allocation)
UNION ALL (SELECT 'allocations' FROM allocation WHERE begin_event IS NOT NULL OR end_event IS NOT NULL LIMIT 1)
UNION ALL (SELECT 'grid' FROM gpu_operation WHERE blocks IS NOT NULL LIMIT 1)
UNION ALL (SELECT 'pinned' FROM gpu_operation WHERE pinned IS NOT NULL LIMIT 1)
UNION ALL (SELECT 'operation_bytes' FROM gpu_operation WHERE bytes IS NOT NULL AND operation LIKE 'copy%' LIMIT 1)
UNION ALL SELECT unnest(['gpu_trace', 'gpu_operations', 'kernels', 'copies', 'launches']) FROM (FROM gpu_operation LIMIT 1)
UNION ALL SELECT CASE name WHEN 'gpu_operation_time' THEN 'gpu_operations' WHEN 'kernel_time' THEN 'kernels' ELSE 'copies' END
FROM collected WHERE name IN ('gpu_operation_time', 'kernel_time', 'copy_time') AND EXISTS (FROM summary)
UNION ALL SELECT 'launches'
FROM collected LEFT JOIN gpu_vendor ON true
WHERE collected.name = 'kernel_launches' AND EXISTS (FROM summary)
    AND (coalesce(gpu_vendor.vendor NOT IN ('AMD', 'Intel'), true) OR total_of('kernel_launches') > 0)
UNION ALL SELECT DISTINCT 'kernel_lines'
FROM gpu_context JOIN context AS line ON line.id = gpu_context.context JOIN file ON file.id = line.file
WHERE gpu_context.operation = 'kernel' AND line.lexical_type = 'line' AND line.line > 0 AND file.path NOT LIKE '[%'
UNION ALL (SELECT 'iterations' FROM iteration LIMIT 1)
UNION ALL SELECT 'graphs' FROM hidden_graph
UNION ALL SELECT 'every_kernel'
UNION ALL SELECT 'unsampled' WHERE NOT pc_sampled()
UNION ALL (SELECT 'launching' FROM trace_line WHERE launching LIMIT 1)
UNION ALL SELECT 'cpu_event' FROM cpu_event
UNION ALL SELECT key FROM setting
UNION ALL SELECT 'hardware' FROM run JOIN hardware ON hardware.name = run.hardware
UNION ALL SELECT 'hardware.' || figure.name
FROM run
JOIN (
    UNPIVOT (SELECT name AS device, CAST(COLUMNS(* EXCLUDE (name, vendor, verified)) AS DOUBLE) FROM hardware)
    ON COLUMNS(* EXCLUDE (device)) INTO NAME name VALUE amount
) AS figure ON figure.device = run.hardware
