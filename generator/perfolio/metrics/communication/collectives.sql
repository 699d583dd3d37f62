/*---
title: Collectives of an iteration
better: lower
definition: >-
  Collective operations by their place in an iteration, on the rank with the least time in them,
  which waits least: mean time, the part of it beside no other kernel, its share of all such time,
  the bits of a value as the kernel's name tells, how many of them run in a stream of other
  kernels, and what of PyTorch launches them, by names on the calling path. Without a place where
  iterations differ or were not found.
population: >-
  GPU operations of all streams of each rank in the steady state: iterations after the warm-up, or
  the GPU span where no iterations were found; the last iteration, which is incomplete, is left out; the first 100
needs: [gpu_trace]
source: traces
caveat: >-
  Known by names of kernels, what the tool recorded of them and what launched them (kernel_class). HPCToolkit does not see kernels launched by
  cudaLaunchKernelExC, as NCCL does from compute capability 9 on: there, a lower bound. A
  collective also runs while it waits for a rank that is late.
empty: >-
  no kernel that communicates was seen in the steady state of a rank
columns:
  - {name: place, title: 'Place', unit: id}
  - {name: of_iteration, title: 'Of', unit: id}
  - {name: operation, title: 'Operation', unit: text}
  - {name: bits, title: 'Bits', unit: "1"}
  - {name: launched_by, title: 'Launched by', unit: text}
  - {name: mean, title: 'Mean time', unit: s}
  - {name: exposed, title: 'Exposed', unit: s}
  - {name: share, title: 'Share', unit: ratio}
  - {name: shared, title: 'In a shared stream', unit: ratio}
---*/
WITH RECURSIVE ran AS MATERIALIZED (
    SELECT launch.* FROM collective_launches AS launch JOIN late_rank AS late ON late.rank = launch.rank
),
path AS (
    SELECT DISTINCT context AS kernel, context AS place FROM ran
    UNION
    SELECT path.kernel, context.parent FROM path JOIN context ON context.id = path.place
),
-- The last one that is found counts.
framework(number, name, pattern) AS (
    VALUES
        (1, 'PyTorch', 'c10d::|torch/distributed/'),
        (2, 'DistributedDataParallel', 'c10d::Reducer|torch/nn/parallel/distributed\.py|AccumulateGrad'),
        (3, 'FullyShardedDataParallel', 'torch/distributed/(fsdp|_composable/fsdp)/|FullyShardedDataParallel|FSDP::')
),
launcher AS (
    SELECT path.kernel AS context, max_by(framework.name, framework.number) AS name
    FROM path
    JOIN context_name ON context_name.context = path.place
    JOIN framework ON regexp_matches(concat_ws(' ', context_name.function_name, context_name.file_path), framework.pattern)
    GROUP BY path.kernel
),
named AS (
    SELECT ran.*, coalesce(launcher.name, '') AS launched_by, short_name(context_name.function_name) AS kernel
    FROM ran
    JOIN context_name ON context_name.context = ran.context
    LEFT JOIN launcher ON launcher.context = ran.context
),
told AS (
    SELECT *, coalesce(nullif(regexp_extract(kernel, '^nccl(?:Symk?)?(?:Dev)?Kernel_([A-Za-z]+)', 1), ''), kernel) AS operation,
        CASE
            WHEN regexp_matches(kernel, '_(f64|u64|i64|double|int64_t|uint64_t)(_|$)') THEN 64
            WHEN regexp_matches(kernel, '_(f32|u32|i32|float|int32_t|uint32_t)(_|$)') THEN 32
            WHEN regexp_matches(kernel, '_(f16|bf16|half|nv_bfloat16|hip_bfloat16|rccl_bfloat16)(_|$)') THEN 16
            WHEN regexp_matches(kernel, '_(u8|i8|f8e4m3|f8e5m2|int8_t|uint8_t)(_|$)') THEN 8
        END AS bits
    FROM named
)
SELECT place, of_iteration, operation, bits, launched_by, avg(duration) / 1e9 AS mean, avg(exposed) / 1e9 AS exposed,
    coalesce(sum(exposed) / nullif(sum(sum(exposed)) OVER (), 0), 0) AS share, avg(CAST(shared AS INTEGER)) AS shared
FROM told
GROUP BY place, of_iteration, operation, bits, launched_by
ORDER BY sum(exposed) DESC, place, operation, bits, launched_by
LIMIT 100
