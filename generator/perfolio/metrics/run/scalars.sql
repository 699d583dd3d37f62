/*---
defaults:
  unit: count
  better: neither
  population: the run
  needs: []
  source: the profile's own tables
---*/

/*---
name: clock_offset
title: Offset of clocks that was taken off
unit: s
better: lower
definition: >-
  The largest offset that was taken off times of the run, of a GPU's clock against its host's or of a host's against that
  of the first rank (run.clocks); 0 where all clocks agree.
population: clocks that are off by a constant time
needs: [gpu_trace]
source: begin and end of calls, operations and collectives
---*/
SELECT coalesce(max(abs("offset")), 0) / 1e9 AS value FROM clock

/*---
name: communicating_ranks
title: Ranks whose communication is looked at
definition: >-
  Ranks recorded. Processes of which no rank is known count as one together where a kernel of theirs communicates, and else as none.
population: ranks of table profile; kernels that communicate (kernel_class)
---*/
SELECT CASE WHEN count(DISTINCT rank) > 0 THEN count(DISTINCT rank)
    ELSE (SELECT count(*) FROM (FROM rank_kernels WHERE is_collective LIMIT 1)) END AS value FROM profile

/*---
name: compiled
title: Functions that torch.compile made
definition: >-
  Functions of the profile that PyTorch's compiler made, which are kernels of Triton, or that it calls to
  compile or to run what it compiled.
population: >-
  all functions of the profile; importing the compiler counts as none
source: names of functions
---*/
SELECT count(*) AS value
FROM "function"
WHERE regexp_matches(name, '^triton_(poi|per|red|tem|for|mm|unk)_|^(CompiledFxGraph|compile_fx)')

/*---
name: compute_capability
title: Compute capability
unit: "1"
definition: CUDA compute capability of the device that profile.toml names.
population: the run's row of table hardware
needs: [hardware.compute_capability]
source: table hardware
---*/
SELECT hardware.compute_capability AS value
FROM run JOIN hardware ON hardware.name = run.hardware

/*---
name: compute_capability_at_least
title: Compute capability, at least
unit: "1"
definition: >-
  CUDA compute capability of the device that profile.toml names; without one the newest that a kernel's name tells, which
  the device has or exceeds.
population: the run's row of table hardware; kernels with a name
source: table hardware; names of kernels in cuBLAS, cuDNN and CUTLASS, as in cutlass_80, sm80_xmma, ampere_sgemm
empty: no device is named, and no kernel's name tells one
---*/
WITH told AS (
    SELECT greatest(
        CAST(nullif(regexp_extract(lower(kernel), '(?:cutlass_|(?:^|[^a-z0-9])sm_?)([5-9]\d|1[0-2]\d)(?:_|\b)', 1), '') AS DOUBLE) / 10,
        CASE regexp_extract(lower(kernel), '(?:^|[^a-z])(volta|turing|ampere|hopper)_', 1)
            WHEN 'volta' THEN 7.0 WHEN 'turing' THEN 7.5 WHEN 'ampere' THEN 8.0 WHEN 'hopper' THEN 9.0 END
    ) AS capability
    FROM kernel_context WHERE named
)
SELECT coalesce(
    (SELECT hardware.compute_capability FROM run JOIN hardware ON hardware.name = run.hardware),
    (SELECT max(capability) FROM told)
) AS value

/*---
name: contexts
title: Calling contexts
definition: >-
  Calling contexts of the profile: functions, loops, lines and instructions by call path. The
  root of the run is not counted.
population: rows of table context
---*/
SELECT count(*) AS value FROM context

/*---
name: cpu_threads
title: CPU threads
definition: CPU threads that were measured, idle ones included.
population: rows of table profile that are CPU threads
---*/
SELECT count(*) AS value FROM profile WHERE kind = 'CPU thread'

/*---
name: drifting_clocks
title: Clocks that drift
better: lower
definition: >-
  Clocks of which no one offset agrees with launches, waits and collectives (run.clocks): figures that compare their times with
  others are not measured.
population: clocks of GPUs against their host's, and of hosts against that of the first rank
needs: [gpu_trace]
source: begin and end of calls, operations and collectives
---*/
SELECT count(*) AS value FROM clock WHERE NOT is_constant

/*---
name: engine_steps
title: Steps of an engine that serves
definition: >-
  Steps of an engine that serves a language model, as it names them or as attention and replayed graphs tell them (serving.steps); 0 of a
  run that trains, or whose steps are not told.
population: table engine_step, of the rank of the busiest stream
---*/
SELECT count(*) AS value FROM engine_step

/*---
name: files
title: Source files
definition: Source files that the profile names.
population: rows of table file, without modules and others that are no file ([libm.so], <string>)
---*/
SELECT count(*) AS value FROM file WHERE source_path(path) IS NOT NULL

/*---
name: functions
title: Functions
definition: >-
  Functions and named constructs that the profile knows, placeholders such as <gpu kernel>
  included.
population: rows of table function
---*/
SELECT count(*) AS value FROM "function"

/*---
name: gpu_streams
title: GPU streams
definition: GPU streams with a trace or a profile.
population: rows of table profile that are GPU streams
---*/
SELECT count(*) AS value FROM profile WHERE kind = 'GPU stream'

/*---
name: gpus
title: GPUs
definition: >-
  GPUs that take part in the run, told apart by node, rank and GPU context: kernels ran there for at least 1 % of their time
  on the GPU with most of it. Without any kernel, the same of all operations.
population: GPU streams with operations in the trace; others are in run.idle_gpus
needs: [gpu_trace]
source: the identifiers of the trace lines
caveat: Two ranks that share a GPU count as two.
---*/
SELECT gpus() AS value

/*---
name: hidden_graphs
title: CUDA graphs that are not recorded
better: lower
definition: >-
  1 where the program launches CUDA graphs and none of their operations is recorded: then figures of
  the GPU are of a part of unknown size. 0 where no launch of a graph was seen.
population: all functions of the run
source: names of functions on calling paths (the model hidden_graph)
caveat: >-
  What no sample touched is not in a profile: 0 proves nothing.
---*/
SELECT count(*) AS value
FROM hidden_graph

/*---
name: hidden_work
title: GPU work that is not recorded
better: lower
definition: >-
  Reasons for which what the run holds of the GPU is a part of unknown size: graphs or launches without their
  operations, operations without a time, a recording of a graph's capture. Then no figure of the GPU is given. 0 where
  no reason is known.
population: all launches of the run
source: the model hidden_work
caveat: >-
  What a sampling profiler took no sample in is not in a profile: 0 proves nothing there.
---*/
SELECT count(*) AS value FROM hidden_work

/*---
name: idle_gpus
title: GPUs without a share of the work
definition: >-
  GPUs on which operations ran, but kernels for less than 1 % of their time on the GPU with most of it. No mean over GPUs
  has them.
population: GPU streams with operations in the trace
needs: [gpu_trace]
source: the identifiers of the trace lines, durations of operations
caveat: A process that touches a device, or a library that sets up links, makes a context there and no more.
---*/
SELECT count(*) AS value FROM idle_gpu

/*---
name: launches_seen
title: Whether each launch was recorded
unit: "1"
better: higher
definition: >-
  1 where the calls that launch GPU operations were recorded, so that no kernel is missing for the way in which it was
  launched; 0 where the tool takes samples of the host, or the run has no such call.
source: the run's tables
---*/
SELECT CAST(EXISTS (FROM host_call) AS DOUBLE) AS value

/*---
name: metrics_recorded
title: Metrics listed
definition: Metrics that the profile lists, with or without values.
population: model collected
---*/
SELECT count(*) AS value FROM collected

/*---
name: metrics_with_values
title: Metrics with values
definition: Metrics of which at least one value was recorded.
population: model total
needs: [values]
---*/
SELECT count(*) AS value FROM total WHERE value <> 0

/*---
name: missing_kernels
title: Signs of kernels that were not recorded
better: lower
definition: >-
  How many of two signs are there: threads were sampled in calls of cuBLAS below which no kernel was
  recorded (run.unseen_products), and the model's operations take longer at the device's peak than the
  recorded kernels ran (compute.missing_products). With either, kernel time, launches and the GPU's
  busy time are lower bounds, idle time is an upper one.
source: the model missing_kernels
caveat: >-
  0 proves nothing: without samples on calling paths, or without model_flops_per_iteration in
  profile.toml, a sign cannot be seen.
---*/
SELECT count(*) AS value FROM missing_kernels

/*---
name: modules
title: Load modules
definition: Executables, libraries and GPU binaries that the profile names.
population: rows of table module
---*/
SELECT count(*) AS value FROM module

/*---
name: nvidia_gpu
title: GPU of NVIDIA
definition: 1 where the GPU that was measured is one of NVIDIA's, 0 where it is of another maker.
needs: [gpu_operations]
source: >-
  profile.toml, else values that only one vendor's tools fill, else names of libraries (the model
  gpu_vendor)
empty: nothing tells the vendor of a GPU
---*/
SELECT CASE vendor WHEN 'NVIDIA' THEN 1 ELSE 0 END AS value
FROM gpu_vendor
WHERE vendor <> 'unknown'

/*---
name: processes
title: Processes
definition: >-
  Processes with CPU threads: as many as ranks; without ranks those that the tool names, or one where it names none.
  Where a thread has several profiles in what would be one process, as many as its lowest-numbered one has.
population: CPU threads of table profile
source: identifiers of the profiles; the model process_thread
---*/
SELECT count(*) AS value FROM process HAVING count(*) > 0

/*---
name: profiles
title: Profiles
definition: Measured CPU threads and GPU streams.
population: rows of table profile
---*/
SELECT count(*) AS value FROM profile

/*---
name: pytorch
title: Modules and files of PyTorch
definition: Load modules and source files of PyTorch that the run names; 0 where it names none.
population: all load modules and source files of the run
source: names of modules and files, listed in the query
caveat: >-
  What no sample and no operation touched is not in a profile: 0 proves nothing.
---*/
SELECT count(*) AS value
FROM (
    SELECT path FROM module
    UNION ALL
    SELECT path FROM file
)
WHERE regexp_matches(path, '(^|/)torch/|(^|/)libtorch[^/]*\.so')

/*---
name: rank_statistics
title: Profiles of all ranks together
definition: Profiles that hold the least, mean and largest value over ranks, in place of those of each rank.
population: all profiles
---*/
SELECT count(*) FILTER (WHERE kind = 'ranks') AS value FROM profile

/*---
name: ranks
title: Ranks
definition: >-
  Different ranks among the profiles; 0 where the run was not started by MPI or a like launcher.
population: ranks of table profile
---*/
SELECT count(DISTINCT rank) AS value FROM profile

/*---
name: sampled
title: Whether threads of the host were sampled
unit: "1"
definition: >-
  1 where the run holds samples of host threads, in time order or as totals of calling contexts; 0 where it holds
  begins and ends, or nothing of the host.
population: trace lines of the host; its events where there is none
source: the run's tables
---*/
SELECT CAST(
    EXISTS (FROM trace_line WHERE clock IN ('running', 'elapsed') AND active > 0)
    OR (EXISTS (FROM cpu_event) AND NOT EXISTS (FROM host_stay)) AS DOUBLE
) AS value

/*---
name: threads_at_once
title: CPU threads alive at once
definition: Largest number of CPU threads that were alive at one time, running or waiting.
population: CPU threads of the trace, each from its first trace point to its last one
needs: [cpu_trace]
source: traces; the model alive
---*/
SELECT max(threads) AS value FROM alive WHERE everywhere

/*---
name: time_at_least
title: Run time, at least
unit: s
definition: >-
  The largest CPU time (CPUTIME) or elapsed time (REALTIME) of a single thread, or the traced
  wall time where that is longer. A thread cannot use more CPU time than passes, so the run took
  at least this long.
population: >-
  each CPU thread's total, context 0 at scope execution; from the first to the last trace point of
  runs with a CPU trace
needs: [cpu_event]
source: by definition; without a CPU trace a bound, and not the elapsed time
caveat: >-
  Both clocks are sampled, and a profiler's own cost is part of the run that it measures.
empty: neither CPUTIME nor REALTIME was recorded, and other events are no times
---*/
SELECT least_run_time() AS value

/*---
name: trace_points
title: Trace points
definition: >-
  Points of all traces: changes of what a thread or stream was doing.
population: rows of table trace
needs: [trace]
---*/
SELECT count(*) AS value FROM trace

/*---
name: unseen_products
title: Matrix products without a recorded kernel
better: lower
definition: >-
  Calls of cuBLAS that compute a matrix product, by calling context, in which threads were sampled and
  below which no kernel was recorded: then kernels are missing. 0 where none was seen.
population: all calling contexts of a run that recorded kernels
source: names of functions on calling paths (the model unseen_product)
caveat: >-
  What no sample touched is not in a profile: 0 proves nothing.
---*/
SELECT count(*) AS value
FROM unseen_product

/*---
name: values
title: Values
definition: Non-zero values per profile, context and metric.
population: rows of table value
needs: [values]
---*/
SELECT count(*) AS value FROM "value"

/*---
name: world_size
title: Ranks of the whole run
definition: >-
  How many ranks ran, whether their profiles are here or not: as PyTorch's process group, or the launcher of the recorded processes, says.
population: what the profile says of the run
source: the profile's own head, or the environment of its processes
empty: the profile does not say how many ranks the run has
---*/
SELECT max(CAST(value AS BIGINT)) AS value FROM setting WHERE key = 'run.ranks' HAVING count(*) > 0
