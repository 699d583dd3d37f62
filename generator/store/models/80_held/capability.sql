/*---
about: >-
  What a run holds, in the words in which metrics say what they need: names of metrics, values, profiles, ranks,
  trace, cpu_trace, gpu_trace, gpu_operations, kernels, copies and launches (by values or the trace),
  kernel_lines (lines of sources in GPU code), what witnesses of other tools tell, iterations, graphs (launched by the program and not recorded),
  unsampled (no PC samples), launching, cpu_event, settings, hardware and its columns.
---*/
SELECT name AS need FROM collected WHERE EXISTS (FROM summary)
UNION ALL SELECT 'values' WHERE EXISTS (FROM summary)
UNION ALL SELECT 'profiles' WHERE EXISTS (FROM value)
UNION ALL SELECT 'ranks' WHERE EXISTS (FROM profile WHERE rank IS NOT NULL)
UNION ALL SELECT 'trace' WHERE EXISTS (FROM trace_line)
UNION ALL SELECT 'cpu_trace' WHERE EXISTS (FROM trace_line WHERE kind = 'CPU thread' AND active > 0)
UNION ALL SELECT 'host_samples' WHERE EXISTS (FROM trace_line WHERE clock IN ('running', 'elapsed') AND active > 0)
UNION ALL SELECT 'host_call' WHERE EXISTS (FROM host_call)
UNION ALL SELECT 'operators' WHERE EXISTS (FROM host_range WHERE kind = 'operator')
UNION ALL SELECT 'steps' WHERE EXISTS (FROM host_range WHERE kind = 'step')
UNION ALL SELECT 'shapes' WHERE EXISTS (FROM host_range WHERE shapes IS NOT NULL)
UNION ALL SELECT 'types' WHERE EXISTS (FROM host_range WHERE types IS NOT NULL)
UNION ALL SELECT 'memory' WHERE EXISTS (FROM memory_event)
UNION ALL SELECT 'collectives' WHERE EXISTS (FROM collective)
UNION ALL SELECT 'counters' WHERE EXISTS (FROM kernel_counter)
UNION ALL SELECT 'counted_operations' WHERE EXISTS (FROM kernel_counter WHERE regexp_matches(metric, '_op_ffma_pred_on[.]sum|^flop_fp32$'))
UNION ALL SELECT 'counter_rules' WHERE EXISTS (FROM counter_rule)
UNION ALL SELECT 'device_samples' WHERE EXISTS (FROM device_sample)
UNION ALL SELECT 'collective_tests' WHERE EXISTS (FROM collective_block)
UNION ALL SELECT 'collective_samples' WHERE EXISTS (FROM collective_sample)
UNION ALL SELECT 'witnesses' WHERE EXISTS (FROM witness)
UNION ALL SELECT 'told_figures' WHERE EXISTS (FROM told_figure)
UNION ALL SELECT 'throughput' WHERE EXISTS (FROM throughput_row)
UNION ALL SELECT 'memory_snapshot' WHERE EXISTS (FROM memory_segment) OR EXISTS (FROM allocation)
UNION ALL SELECT 'allocations' WHERE EXISTS (FROM allocation WHERE begin_event IS NOT NULL OR end_event IS NOT NULL)
UNION ALL SELECT 'grid' WHERE EXISTS (FROM gpu_operation WHERE blocks IS NOT NULL)
UNION ALL SELECT 'pinned' WHERE EXISTS (FROM gpu_operation WHERE pinned IS NOT NULL)
UNION ALL SELECT 'operation_bytes' WHERE EXISTS (FROM gpu_operation WHERE bytes IS NOT NULL AND operation LIKE 'copy%')
UNION ALL SELECT unnest(['gpu_trace', 'gpu_operations', 'kernels', 'copies', 'launches']) WHERE EXISTS (FROM gpu_operation)
UNION ALL SELECT CASE name WHEN 'gpu_operation_time' THEN 'gpu_operations' WHEN 'kernel_time' THEN 'kernels' ELSE 'copies' END
FROM collected WHERE name IN ('gpu_operation_time', 'kernel_time', 'copy_time') AND EXISTS (FROM summary)
UNION ALL SELECT 'launches'
FROM collected LEFT JOIN gpu_vendor ON true
WHERE collected.name = 'kernel_launches' AND EXISTS (FROM summary)
    AND (coalesce(gpu_vendor.vendor NOT IN ('AMD', 'Intel'), true) OR total_of('kernel_launches') > 0)
UNION ALL SELECT DISTINCT 'kernel_lines'
FROM gpu_context JOIN context AS line ON line.id = gpu_context.context JOIN file ON file.id = line.file
WHERE gpu_context.operation = 'kernel' AND line.lexical_type = 'line' AND line.line > 0 AND file.path NOT LIKE '[%'
UNION ALL SELECT 'iterations' WHERE EXISTS (FROM iteration)
UNION ALL SELECT 'graphs' FROM hidden_graph
UNION ALL SELECT 'every_kernel'
UNION ALL SELECT 'unsampled' WHERE NOT pc_sampled()
UNION ALL SELECT 'launching' WHERE EXISTS (FROM trace_line WHERE launching)
UNION ALL SELECT 'cpu_event' FROM cpu_event
UNION ALL SELECT key FROM setting
UNION ALL SELECT 'hardware' FROM run JOIN hardware ON hardware.name = run.hardware
UNION ALL SELECT 'hardware.' || figure.name
FROM run
JOIN (
    UNPIVOT (SELECT name AS device, CAST(COLUMNS(* EXCLUDE (name, vendor, verified)) AS DOUBLE) FROM hardware)
    ON COLUMNS(* EXCLUDE (device)) INTO NAME name VALUE amount
) AS figure ON figure.device = run.hardware
