-- Functions of values: what names tell, intervals, and what is asked by name or number.

CREATE MACRO python_module() AS '<logical python>';
COMMENT ON MACRO python_module IS 'What HPCToolkit names as the load module of functions of Python.';

CREATE MACRO is_cpu_event(name) AS name IN ('cpu_time', 'elapsed_time', 'cost_share')
    OR regexp_matches(name, '(?i)^(perf::|PAPI_)|cycles|^(cpu|task)-clock$|^instructions$') AND NOT regexp_matches(name, '^G[A-Z]+($|[: ])');
COMMENT ON MACRO is_cpu_event IS 'Whether a measure is a cost of CPU threads by which runs may be ranked: time, an event of perf or
    PAPI, or the part of all that a profiler counted. Names that begin with G are of GPUs, as GCYCLES is.';

CREATE MACRO is_clock(name) AS regexp_matches(name, '(?i)(^|::)(cpu|task)-clock$');
COMMENT ON MACRO is_clock IS 'Whether an event of perf is a clock, which counts nanoseconds of CPU time
    (perf_event_open(2)).';

CREATE MACRO binomial_low(k, n) AS
    CASE WHEN n > 0 AND k <= 0 THEN 0.0 WHEN n > 0 THEN (
        k / n + 1.9208 / n - 1.96 * sqrt(greatest(k / n * (1 - k / n), 0) / n + 0.9604 / (n * n))
    ) / (1 + 3.8416 / n) END;
COMMENT ON MACRO binomial_low IS 'Lower bound of the 95 % Wilson interval of k successes in n samples [ratio]';

CREATE MACRO binomial_high(k, n) AS
    CASE WHEN n > 0 AND k >= n THEN 1.0 WHEN n > 0 THEN (
        k / n + 1.9208 / n + 1.96 * sqrt(greatest(k / n * (1 - k / n), 0) / n + 0.9604 / (n * n))
    ) / (1 + 3.8416 / n) END;
COMMENT ON MACRO binomial_high IS 'Upper bound of the 95 % Wilson interval of k successes in n samples [ratio]';

CREATE MACRO multiplies_plain_fp32(kernel_name) AS
    regexp_matches(lower(kernel_name), '(simt_sgemm|simt_.*f32f32_f32f32|(^|_)sgemm_|sgemm_(32|64|128|largek)|gemm_f32f32_f32f32_f32)')
    AND NOT regexp_matches(lower(kernel_name), '(tf32|s1688|s16816|tensorop)');
COMMENT ON MACRO multiplies_plain_fp32 IS 'Whether the name of a kernel of cuBLAS or CUTLASS says that it multiplies FP32 matrices without
    tensor cores.';

CREATE MACRO total_of(metric_name) AS (
    SELECT coalesce(sum(total_value), 0) FROM total AS of_run(total_name, total_value) WHERE total_name = metric_name
);
COMMENT ON MACRO total_of IS 'The true total of a metric of a run; 0 where nothing was recorded, so ask first whether
    it was collected.';

CREATE MACRO is_pc_sample(name) AS regexp_matches(name, '^(pc_samples|stalled_samples|GINS|GCYCLES)');
COMMENT ON MACRO is_pc_sample IS 'Whether a metric is made of PC samples: GINS and its stalls, also where HPCToolkit
    2025.1 or later writes GCYCLES for NVIDIA''s GPUs, which is read under the older name; GCYCLES of the GPUs of
    other vendors, which is not evaluated.';

-- All multiprocessors are sampled at the same moments, and those that run one kernel are apt to do the same then:
-- samples of a moment need not be independent, so that they count as one. A launch is expected to give a sample
-- per multiprocessor and period, and each gives one at most, which bounds the number of moments from below.
CREATE MACRO at_once(taken, expected, multiprocessors) AS
    coalesce(greatest(1.0, multiprocessors * taken / nullif(greatest(taken, coalesce(expected, 0)), 0)), 1.0);
COMMENT ON MACRO at_once IS 'PC samples per moment of sampling, at most, from those taken, those expected and the
    number of multiprocessors; 1 where that is unknown.';

CREATE MACRO rocm_version(path) AS
    coalesce(
        nullif(regexp_extract(path, '/rocm-(\d+\.\d+(\.\d+)?)/', 1), ''),
        nullif(regexp_extract(path, '(^|/)libamdhip64\.so\.(\d+\.\d+)', 2), ''),
        nullif(regexp_extract(path, '(^|/)libamdhip64\.so\.([1-9]\d*)$', 2), ''));
COMMENT ON MACRO rocm_version IS 'Version of ROCm that a module of it tells by its folder (/opt/rocm-5.7.1/) or by the
    version of HIP''s runtime, which counts as ROCm does, as far as it is in the name of its file; else NULL.';

CREATE MACRO shorten(words, size) AS
    CASE WHEN length(words) > size THEN left(words, size - 1) || '…' ELSE words END;
COMMENT ON MACRO shorten IS 'Text of at most size characters.';

CREATE MACRO short_name(name) AS
    CASE WHEN name LIKE '<%' OR name LIKE '0x%' THEN shorten(name, 60)
    ELSE shorten(regexp_replace(regexp_replace(regexp_replace(
        regexp_replace(name, '(\(anonymous namespace\)|<?unnamed>)::', '', 'g'), ' \[[^\]]*\]$', ''),
        '^(void|std::enable_if(_t)?<.*?\bvoid>(::type)?) ', '', 's'), '[<(].*$', '', 's'), 60) END;
COMMENT ON MACRO short_name IS 'A function''s name without its return type, template arguments, parameters and library, at
    most 60 characters; an address keeps its library.';

CREATE MACRO plain_name(name) AS
    regexp_replace(regexp_replace(replace(name, '(anonymous namespace)::', ''), '^std::enable_if(_t)?<.*?\bvoid>(::type)? ', '', 's'),
        '[<(].*$', '', 's');
COMMENT ON MACRO plain_name IS 'A function''s name without template arguments and parameters, and without a conditional return type.';

CREATE MACRO gpu_runtime(name, module) AS
    coalesce(regexp_matches(parse_filename(module), '^lib(amdhip64|hsa-runtime64|cudart|cuda|ze_loader|ze_intel_gpu|OpenCL)\b'), false)
    OR regexp_matches(name, '^(hip|cuda)[A-Z]|^__device_stub_');
COMMENT ON MACRO gpu_runtime IS 'Whether a function belongs to the GPU''s runtime or driver, by its module, or by its
    name where the runtime is linked into the program.';

CREATE MACRO kernel_detail(name) AS
    coalesce(
        nullif(regexp_extract(name, '<.*?\b((?:cutlass_|ampere_|sm\d+_)\w*gemm\w*)', 1, 's'), ''),
        nullif(regexp_extract(name, '<.*?\b(\w+_(?:kernel_cuda|cuda_kernel|kernel_impl|cuda_out|scalar))\b', 1, 's'), ''),
        nullif(regexp_extract(name, '<.*?\b(\w*Functor_\w+|\w+Functor|\w+_functor|\w+Ops|Reduce(?:Add|Multiply|Maximum|Minimum))\b', 1, 's'), ''));
COMMENT ON MACRO kernel_detail IS 'The part of a kernel''s template arguments that tells it from others of the same
    template, or NULL.';

CREATE MACRO kernel_short(short, detail) AS
    CASE
        WHEN detail LIKE '%gemm%' THEN shorten(detail, 60)
        WHEN detail IS NOT NULL THEN shorten(regexp_extract(short, '\w*$', 0) || ': ' || detail, 60)
        WHEN regexp_matches(short, '::\w{9,}$') THEN regexp_extract(short, '\w*$', 0)
        ELSE coalesce(nullif(regexp_extract(short, '(?:\w+::)?\w*$', 0), ''), short)
    END;
COMMENT ON MACRO kernel_short IS 'A kernel''s name as people say it, at most 60 characters, from its short_name and
    its kernel_detail, which are planned least often as columns of their own: not unique.';

CREATE MACRO resident_share(threads, registers, shared, device) AS (
    SELECT least(
            floor(device.max_warps / block.warps),
            device.max_blocks,
            coalesce(floor(
                floor(device.registers / nullif(ceil(registers * device.warp_size / 256) * 256, 0) / 4) * 4 / block.warps
            ), device.max_blocks),
            coalesce(floor(device.shared_memory / nullif(ceil((shared + block.reserved) / block.unit) * block.unit, 0)), device.max_blocks)
        ) * block.warps / device.max_warps
    FROM (
        SELECT ceil(threads / device.warp_size) AS warps,
            CASE WHEN device.compute_capability >= 8 THEN 1024 ELSE 0 END AS reserved,
            CASE WHEN device.compute_capability >= 8 THEN 128 ELSE 256 END AS unit
    ) AS block
);
COMMENT ON MACRO resident_share IS 'Theoretical occupancy [ratio] by NVIDIA''s rules: resident warps over the most a
    multiprocessor can hold, limited by warps, blocks, registers (allocated per warp in 256s, warps in fours) and
    shared memory (1,024 B reserved per block from compute capability 8 on).';

CREATE MACRO kernel_rule(name) AS CASE $KERNEL_RULES END;
COMMENT ON MACRO kernel_rule IS 'The first row of kernel_pattern whose pattern is in the name of a kernel, by its rank; NULL
    where none is.';

CREATE MACRO is_mpi_library(module_path) AS
    regexp_matches(
        parse_filename(coalesce(module_path, '')),
        '^(libmpi|libmpich|libopen-pal|libopen-rte|libpmix|libucp|libucs|libuct|libfabric|libpsm2)[-._]'
    );
COMMENT ON MACRO is_mpi_library IS 'Whether code is in a library of MPI or its transports.';

CREATE MACRO is_mpi_call(name) AS regexp_matches(name, '^(hpcrun_)?P?MPI_[A-Z]');
COMMENT ON MACRO is_mpi_call IS 'Whether a function is of MPI''s interface, by its name, also as a tool wraps it.';

CREATE MACRO is_waiting(module_path, name) AS (
    is_mpi_library(module_path)
    OR regexp_matches(parse_filename(coalesce(module_path, '')), '^(libgomp|libiomp5|libomp|libkmp)[-._]')
    OR regexp_matches(
        name,
        '^(__GI_)?_*(libc_)?(futex|poll\b|ppoll\b|epoll_p?wait|p?select\b|clock_nanosleep|nanosleep|usleep\b|sched_yield|'
        'sem_\w*wait|new_sem_\w*wait|pthread_\w*(wait|join)|pthread_spin_lock|lll_lock_wait|sigwait|wait4\b|waitpid|waitid|'
        'blas_thread_server)|^(gloo|mpi|ucc):|'
        '^<(built-in )?method ''?(acquire|wait|poll|\w+\.(acquire|sleep|select|poll|waitpid|wait4))\b|'
        '^<built-in function (sleep|select|waitpid|wait4)>'
    )
    OR is_mpi_call(name)
);
COMMENT ON MACRO is_waiting IS 'Whether a function waits or organises parallel work: in a library of OpenMP, MPI or
    its transports, a call that blocks, also as Python calls it, a call of MPI, or a collective of PyTorch''s back ends that run
    on the host.';

CREATE MACRO is_gpu_runtime(module_path) AS
    regexp_matches(
        parse_filename(coalesce(module_path, '')),
        '^(libcuda|libcudart|libnvidia|libcupti|libamdhip64|libhsa-runtime64|libroctracer|libroctx|libze_|libnccl|librccl)'
        '[-._a-z0-9]*\.so'
    );
COMMENT ON MACRO is_gpu_runtime IS 'Whether a module is a runtime or driver of a GPU, or its library for collectives:
    code that launches, copies and waits.';

CREATE MACRO gpu_wait(name) AS
    CASE
        WHEN regexp_matches(
            name,
            '^(hpcrun_)?((cuda|hip)(Device|Stream|Event|Thread)Synchronize|cu(Ctx|Stream|Event)Synchronize|hsa_signal_wait|'
            'ze(CommandQueueSynchronize|CommandListHostSynchronize|FenceHostSynchronize|EventHostSynchronize)|'
            'cl(Finish|WaitForEvents))'
        ) THEN 'synchronises'
        WHEN regexp_matches(name, '(?i)^(hpcrun_)?(cuda|cu|hip)Mem(cpy|set).*async') THEN 'starts a copy'
        WHEN regexp_matches(name, '(?i)^(hpcrun_)?(cuda|cu|hip)Mem(cpy|set)') THEN 'copies'
        WHEN regexp_matches(name, '^(hpcrun_)?((cuda|hip)Free|cuMemFree)') AND name NOT LIKE '%Async%' THEN 'frees'
    END;
COMMENT ON MACRO gpu_wait IS 'How a function of a GPU''s runtime may wait for what the GPU was given before: it synchronises (of
    CUDA, HIP, Level Zero or OpenCL), copies or sets memory and returns when that is done, starts a copy, or frees memory; NULL
    of all others. Time in it tells what the GPU does, or moves data, and is no reason for the GPU to wait.';

CREATE MACRO source_path(path) AS
    CASE WHEN path NOT LIKE '[%' AND path NOT LIKE '<%' THEN regexp_replace(path, '^src/', '/') END;
COMMENT ON MACRO source_path IS 'Path of a source file as it was where the program ran: copies of the database lie
    below src. NULL where the tool names a module ([libm.so]) or no file (<string>, <frozen os>).';

CREATE MACRO installed_file(file) AS
    regexp_matches(
        coalesce(file, ''),
        '/(site|dist)-packages/|/lib(64)?/python\d|^/usr/(include|lib|lib64|local/cuda[^/]*|local/include)/|/tmpxft_[^/]*$'
    )
    -- A pattern with all these takes milliseconds to compile, wherever a query asks.
    OR contains(
        ':accelerate/:aiohttp/:apex/:asyncio/:bitsandbytes/:collections/:concurrent/:ctypes/:datasets/:deepspeed/:diffusers/:email/:'
        'encodings/:fbgemm_gpu/:flash_attn/:flax/:fsspec/:functorch/:http/:huggingface_hub/:importlib/:IPython/:ipykernel/:jax/:json/:'
        'keras/:lightning/:logging/:mlflow/:multiprocessing/:numba/:numpy/:nvidia/:pandas/:peft/:PIL/:pyarrow/:pydantic/:'
        'pytorch_lightning/:ray/:requests/:safetensors/:scipy/:sentencepiece/:sklearn/:tensorflow/:tiktoken/:timm/:tokenizers/:torch/:'
        'torchao/:torchaudio/:torchrec/:torchtext/:torchvision/:tornado/:tqdm/:transformers/:triton/:trl/:unittest/:urllib/:wandb/:'
        'xformers/:xml/:zmq/:'
        'abc.py:argparse.py:ast.py:base64.py:bdb.py:bisect.py:codecs.py:contextlib.py:copy.py:copyreg.py:csv.py:dataclasses.py:'
        'datetime.py:decimal.py:enum.py:fractions.py:functools.py:gc.py:glob.py:gzip.py:hashlib.py:heapq.py:inspect.py:io.py:'
        'linecache.py:numbers.py:operator.py:os.py:pathlib.py:pickle.py:platform.py:posixpath.py:pprint.py:queue.py:random.py:re.py:'
        'runpy.py:selectors.py:shutil.py:signal.py:site.py:socket.py:statistics.py:string.py:struct.py:subprocess.py:tempfile.py:'
        'textwrap.py:threading.py:timeit.py:tokenize.py:traceback.py:types.py:typing.py:uuid.py:warnings.py:weakref.py:zipfile.py:',
        ':' || regexp_extract(coalesce(file, ''), '^[^:/]*(/|$)') || ':'
    );
COMMENT ON MACRO installed_file IS 'Whether a file came with the system, a compiler or a package of Python, by its path:
    nothing that the authors of a program would change. A relative path is of a well-known package or of Python''s own
    library: PyTorch''s profiler leaves out the folder that packages are installed in.';

CREATE MACRO installed_module(module) AS
    regexp_matches(coalesce(module, ''), '^(/usr)?/lib(32|64)?/|^/opt/(rocm|intel)|/lib(hpcrun|hpctoolkit|monitor)[^/]*$')
    OR is_gpu_runtime(module);
COMMENT ON MACRO installed_module IS 'Whether a load module came with the system, a runtime of a GPU or the profiler, by
    its path.';

CREATE MACRO is_own(file, module) AS
    CASE
        WHEN installed_file(source_path(file)) THEN false
        WHEN coalesce(module, python_module()) = python_module() THEN coalesce(source_path(file) LIKE '%.py', false)
        ELSE NOT installed_module(module) AND NOT installed_file(module) AND NOT regexp_matches(
            parse_filename(module),
            '^(python[\d.]*$|libpython|ld-linux|\[vdso\]$|.*\.vdso$|lib('
            'c|m|stdc\+\+|gcc_s|torch|c10|mkl|openblas|scipy_openblas|blas|cblas|lapack|fftw3|numpy|dnnl|onednn|g?omp|iomp5|tbb|'
            'mpi|mpich|open-pal|open-rte|pmix|prrte|uc[cmpst]|uct_\w+|fabric|psm2|ibverbs|rdmacm|mlx[45]|event|event_\w+|hwloc|'
            'pthread|rt|dl|hdf5|netcdf|python|ittnotify)[-_.\d]|libtorch_|libmkl_|mca_)'
        )
    END;
COMMENT ON MACRO is_own IS 'Whether code is the program''s own, by the paths of its file and module: not installed
    (installed_file, installed_module), not Python itself and no well-known library, wherever it was built.';

CREATE MACRO variance_of(n, total, squares) AS
    CAST(n * squares - total * total AS DOUBLE) / n / nullif(n - 1, 0) / 1e18;
COMMENT ON MACRO variance_of IS 'Variance of n times [s2], from their sum and the sum of their squares, whole numbers [ns].';

CREATE MACRO usual_spread(durations) AS greatest(3 * 1.4826 * mad(durations), 0.05 * median(durations));
COMMENT ON MACRO usual_spread IS 'How far durations of iterations usually are from their median: three robust standard
    deviations (1.4826 times the median absolute deviation), and 5 % of it at least.';

CREATE MACRO gpu_time(metric_name, kinds) AS (
    SELECT CASE WHEN EXISTS (FROM summary AS held) THEN total_of(metric_name)
        ELSE (SELECT coalesce(sum(ran.duration), 0) / 1e9 FROM gpu_operation AS ran WHERE ran.operation LIKE kinds) END
);
COMMENT ON MACRO gpu_time IS 'Total of a time metric of GPU operations, or, in a run without any values, the summed
    durations of the operations of these kinds in the trace [s].';

CREATE MACRO gpu_count(count_name, time_name, kinds) AS (
    SELECT CASE WHEN total_of(count_name) > 0 THEN total_of(count_name)
        WHEN EXISTS (FROM gpu_operation AS ran)
            THEN (SELECT count(*) FROM gpu_operation AS ran WHERE ran.operation LIKE kinds)
        WHEN total_of(time_name) > 0 THEN NULL
        ELSE 0 END
);
COMMENT ON MACRO gpu_count IS 'Total of a metric that counts GPU operations; where nothing was counted, the number of
    operations of these kinds in the trace; NULL where there is neither, and time was recorded.';

-- In 128 bits only where 64 are too few (of 1,200 parts, for times of 89 days): they take twelve times as long.
CREATE MACRO bin_of(distance, whole, number) AS
    CASE WHEN whole < 9223372036854775807 // number THEN ((distance + 1) * number - 1) // whole
        ELSE CAST((CAST(distance + 1 AS HUGEINT) * number - 1) // whole AS BIGINT) END;
COMMENT ON MACRO bin_of IS 'The part among equal ones (run_bins, gpu_bins) in which a time lies, by its distance from the first one.';

-- How many of n independent samples fall into a part of a time is binomial. Where they stand for unequal times, n is
-- less (Kish, Survey Sampling, 1965, 11.2C).
CREATE MACRO equal_samples(total, squares) AS total * total / nullif(squares, 0);
COMMENT ON MACRO equal_samples IS 'How many samples of equal weight tell as much as those whose weights have this sum,
    and whose squares that one: (sum of d)² / sum of d².';

CREATE MACRO blame_low(share, n) AS coalesce(binomial_low(share * n, n), CASE WHEN n IS NULL THEN share END, 0.0);
COMMENT ON MACRO blame_low IS 'Lower bound of the 95 % interval of a part of the blame, from its share of the time and
    equal_samples; 0 without samples [ratio]';

CREATE MACRO blame_high(share, n) AS coalesce(binomial_high(share * n, n), CASE WHEN n IS NULL THEN share END, 1.0);
COMMENT ON MACRO blame_high IS 'Upper bound of the 95 % interval of a part of the blame: see blame_low; 1 without
    samples [ratio]';

CREATE MACRO part_name(part) AS
    CASE part
        WHEN 'data' THEN 'preparing input data'
        WHEN 'initialisation' THEN 'initialising a GPU'
        WHEN 'importing' THEN 'importing modules'
        WHEN 'transfer' THEN 'moving data to or from a GPU'
        WHEN 'forward' THEN 'the forward pass'
        WHEN 'backward' THEN 'the backward pass'
        WHEN 'optimizer' THEN 'the optimizer'
        WHEN 'waiting' THEN 'waiting for the backward pass'
        WHEN 'gpu wait' THEN 'waiting for the GPU'
        WHEN 'profiler' THEN 'the profiler''s own calls'
        ELSE part
    END;
COMMENT ON MACRO part_name IS 'What a program does in a part of main_stretches, in words.';

CREATE MACRO owner_of_half(owner, weight) AS
    CASE WHEN 2 * max(weight) FILTER (owner IS NOT NULL) >= sum(weight) THEN arg_min(owner, row(-weight, owner)) FILTER (owner IS NOT NULL) END;
COMMENT ON MACRO owner_of_half IS 'Aggregate: the owner with the largest weight of a group with one row each, where
    that is half of all weight at least, of equal ones the first; the weight of no owner counts as well.';

CREATE MACRO stretched(squares, distance) AS sqrt(3.8416 * squares + 3.6896 * distance * distance);
COMMENT ON MACRO stretched IS 'Half the width of the 95 % interval of a time that stretches between samples make up,
    from the squares of those that may belong elsewhere and the usual distance of samples, as Wilson''s of a rare
    share.';

CREATE MACRO stretches_low(spent, lengths, squares, lost, distance) AS
    greatest(spent - lost - least(lengths, stretched(squares, distance) - 1.9208 * distance), 0);
COMMENT ON MACRO stretches_low IS 'Lower end of the 95 % interval of a part of main_stretches: less by what of its own
    stretches may belong to parts before them, and by samples of those that were dropped.';

CREATE MACRO stretches_high(spent, lengths, squares, lost, distance) AS
    spent + lost + least(lengths + 3.8416 * distance, stretched(squares, distance) + 1.9208 * distance);
COMMENT ON MACRO stretches_high IS 'Upper end of the 95 % interval of a part of main_stretches, below the whole: more
    by what of stretches of other parts after it may be its own, by its samples that were dropped, and by what no
    sample met.';
