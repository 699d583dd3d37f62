-- The store: one DuckDB file per project, any number of runs.
-- Every table starts with `run`; identifiers are those of the profile's own files
-- and unique within a run only, so join on run and identifier.

CREATE TABLE store_info (
    key VARCHAR PRIMARY KEY,
    value VARCHAR NOT NULL
);
COMMENT ON TABLE store_info IS 'What this file is: schema_version and the version of Perfolio that made it.';
COMMENT ON COLUMN store_info.key IS 'schema_version, perfolio_version, definition (a hash of tables, views and reference rows) [text]';
COMMENT ON COLUMN store_info.value IS 'The value [text]';

CREATE TABLE run (
    run INTEGER PRIMARY KEY,
    slug VARCHAR NOT NULL UNIQUE,
    path VARCHAR NOT NULL,
    place VARCHAR NOT NULL,
    digest VARCHAR NOT NULL,
    content VARCHAR NOT NULL,
    files STRUCT(name VARCHAR, bytes UBIGINT, sha256 VARCHAR, format_version VARCHAR)[] NOT NULL,
    tool VARCHAR NOT NULL,
    format_version VARCHAR NOT NULL,
    title VARCHAR NOT NULL,
    description VARCHAR NOT NULL,
    hardware VARCHAR,
    notes VARCHAR,
    warnings VARCHAR[] NOT NULL
);
COMMENT ON TABLE run IS 'One row per ingested profile database.';
COMMENT ON COLUMN run.run IS 'Number of the run in this store [id]';
COMMENT ON COLUMN run.slug IS 'Short name of the run, used in addresses of pages [text]';
COMMENT ON COLUMN run.path IS 'Folder that the run was read from, as given [text]';
COMMENT ON COLUMN run.place IS 'SHA-256 of the whole path of that folder: one place is one run [text]';
COMMENT ON COLUMN run.digest IS 'SHA-256 over the names and hashes of the files and of profile.toml [text]';
COMMENT ON COLUMN run.content IS 'SHA-256 over all that a number follows from: names and hashes of the files, hardware, settings, and the version that stored them [text]';
COMMENT ON COLUMN run.files IS 'Name, size [B], SHA-256 and format version of each file that was read';
COMMENT ON COLUMN run.tool IS 'The tool that made the profile [text]';
COMMENT ON COLUMN run.format_version IS 'Version of the format, as the files say [text]';
COMMENT ON COLUMN run.title IS 'Title of profile.toml, else of the database (the executable) [text]';
COMMENT ON COLUMN run.description IS 'Description of profile.toml, else of the database [text]';
COMMENT ON COLUMN run.hardware IS 'Name in the table hardware, if profile.toml gives one [text]';
COMMENT ON COLUMN run.notes IS 'Notes of profile.toml [text]';
COMMENT ON COLUMN run.warnings IS 'What the reader had to tolerate [text]';

CREATE TABLE setting (
    run INTEGER NOT NULL,
    key VARCHAR NOT NULL,
    value VARCHAR NOT NULL
);
COMMENT ON TABLE setting IS 'Further entries of profile.toml: workload.<name>, model_flops, simulated, event_period.';
COMMENT ON COLUMN setting.run IS 'Run [id]';
COMMENT ON COLUMN setting.key IS 'Dotted name, e.g. workload.batch_size [text]';
COMMENT ON COLUMN setting.value IS 'The value as text; cast it to use it as a number [text]';

CREATE TABLE attachment (
    run INTEGER NOT NULL,
    name VARCHAR NOT NULL,
    content VARCHAR NOT NULL
);
COMMENT ON TABLE attachment IS 'Texts that lay beside the profile and are kept as they were: claims.toml.';
COMMENT ON COLUMN attachment.run IS 'Run [id]';
COMMENT ON COLUMN attachment.name IS 'Name of the file [text]';
COMMENT ON COLUMN attachment.content IS 'Its content [text]';

CREATE TABLE hardware (
    name VARCHAR PRIMARY KEY,
    vendor VARCHAR NOT NULL,
    compute_capability DOUBLE,
    fp64_flops DOUBLE,
    fp64_tensor_flops DOUBLE,
    fp32_flops DOUBLE,
    tf32_flops DOUBLE,
    fp16_flops DOUBLE,
    fp8_flops DOUBLE,
    memory_bandwidth DOUBLE,
    multiprocessors INTEGER,
    warp_size INTEGER,
    max_warps INTEGER,
    max_blocks INTEGER,
    registers INTEGER,
    shared_memory BIGINT,
    pcie_generation INTEGER,
    link_bandwidth DOUBLE,
    verified BOOLEAN NOT NULL
);
COMMENT ON TABLE hardware IS 'Peaks and limits of devices; dense rates, never the ones with sparsity.';
COMMENT ON COLUMN hardware.name IS 'Name to use in profile.toml [text]';
COMMENT ON COLUMN hardware.vendor IS 'NVIDIA, AMD, Intel or CPU [text]';
COMMENT ON COLUMN hardware.compute_capability IS 'CUDA compute capability, NULL elsewhere [1]';
COMMENT ON COLUMN hardware.fp64_flops IS 'FP64 vector peak [FLOP/s]';
COMMENT ON COLUMN hardware.fp64_tensor_flops IS 'FP64 tensor peak [FLOP/s]';
COMMENT ON COLUMN hardware.fp32_flops IS 'FP32 vector peak [FLOP/s]';
COMMENT ON COLUMN hardware.tf32_flops IS 'TF32 tensor peak, dense [FLOP/s]';
COMMENT ON COLUMN hardware.fp16_flops IS 'BF16 and FP16 tensor peak, dense [FLOP/s]';
COMMENT ON COLUMN hardware.fp8_flops IS 'FP8 tensor peak, dense [FLOP/s]';
COMMENT ON COLUMN hardware.memory_bandwidth IS 'Device memory bandwidth [B/s]';
COMMENT ON COLUMN hardware.multiprocessors IS 'SMs or compute units [count]';
COMMENT ON COLUMN hardware.warp_size IS 'Threads per warp or wavefront [threads]';
COMMENT ON COLUMN hardware.max_warps IS 'Resident warps per multiprocessor [warps]';
COMMENT ON COLUMN hardware.max_blocks IS 'Resident blocks per multiprocessor [blocks]';
COMMENT ON COLUMN hardware.registers IS '32-bit registers per multiprocessor [count]';
COMMENT ON COLUMN hardware.shared_memory IS 'Shared memory per multiprocessor that blocks can use [B]';
COMMENT ON COLUMN hardware.pcie_generation IS 'PCI Express generation [1]';
COMMENT ON COLUMN hardware.link_bandwidth IS 'PCIe x16 bandwidth per direction [B/s]';
COMMENT ON COLUMN hardware.verified IS 'Whether the figures were checked against a vendor page';

CREATE TABLE phase_pattern (
    rank INTEGER NOT NULL PRIMARY KEY,
    phase VARCHAR NOT NULL,
    "function" VARCHAR NOT NULL,
    file VARCHAR,
    copies BOOLEAN NOT NULL,
    about VARCHAR
);
COMMENT ON TABLE phase_pattern IS 'Which functions on a calling path tell the phase of a program; where several do, the one of the lowest rank. Functions of PyTorch tell initialisation of the GPU only in runs with a module of a GPU''s runtime or driver.';
COMMENT ON COLUMN phase_pattern.rank IS 'Order, the first one wins [id]';
COMMENT ON COLUMN phase_pattern.phase IS 'data, transfer, forward, backward, optimizer, importing of modules, or initialisation of the GPU [text]';
COMMENT ON COLUMN phase_pattern."function" IS 'Name of the function, with * for any characters; without the library that HPCToolkit appends [text]';
COMMENT ON COLUMN phase_pattern.file IS 'File that defines it, with *; NULL for any [text]';
COMMENT ON COLUMN phase_pattern.copies IS 'Whether it tells only in runs with copies to or from a GPU';
COMMENT ON COLUMN phase_pattern.about IS 'What that is [text]';

CREATE TABLE fusable_pattern (
    rank INTEGER NOT NULL PRIMARY KEY,
    role VARCHAR NOT NULL,
    tells VARCHAR NOT NULL,
    pattern VARCHAR NOT NULL,
    about VARCHAR
);
COMMENT ON TABLE fusable_pattern IS 'Names by which a kernel is known to have a part in a chain of kernels that one call of a library would do.';
COMMENT ON COLUMN fusable_pattern.rank IS 'Number of the row; several rows of a role are alternatives [id]';
COMMENT ON COLUMN fusable_pattern.role IS 'batched product, linear layer (which a batched product is not), softmax, other softmax (which is none of attention), backward, or optimiser [text]';
COMMENT ON COLUMN fusable_pattern.tells IS 'Which names of a kernel''s calling path may match: kernel (its own) or any, both whole and in lower case; or caller (of the functions above it, without what follows the first bracket) [text]';
COMMENT ON COLUMN fusable_pattern.pattern IS 'Regular expression (RE2), anywhere in the name [text]';
COMMENT ON COLUMN fusable_pattern.about IS 'What that is [text]';

CREATE TABLE profile (
    run INTEGER NOT NULL,
    "index" INTEGER NOT NULL,
    identifier_tuple VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    node UBIGINT,
    rank UBIGINT,
    thread UBIGINT,
    gpu_context UBIGINT,
    gpu_stream UBIGINT
);
COMMENT ON TABLE profile IS 'One row per measured CPU thread or GPU stream.';
COMMENT ON COLUMN profile.run IS 'Run [id]';
COMMENT ON COLUMN profile."index" IS 'Position in profile.db, from 1; 0 is the summary and has no row [id]';
COMMENT ON COLUMN profile.identifier_tuple IS 'Identifiers from largest to smallest; not unique [text]';
COMMENT ON COLUMN profile.kind IS 'CPU thread, GPU stream, rank, node or other: the last identifier [text]';
COMMENT ON COLUMN profile.node IS 'Host identifier [id]';
COMMENT ON COLUMN profile.rank IS 'Rank of the process [id]';
COMMENT ON COLUMN profile.thread IS 'CPU thread [id]';
COMMENT ON COLUMN profile.gpu_context IS 'GPU context, as HPCToolkit numbers those of a process: no number of a device [id]';
COMMENT ON COLUMN profile.gpu_stream IS 'GPU stream or queue [id]';

CREATE TABLE module (
    run INTEGER NOT NULL,
    id INTEGER NOT NULL,
    path VARCHAR NOT NULL
);
COMMENT ON TABLE module IS 'Load modules: executables and libraries.';
COMMENT ON COLUMN module.run IS 'Run [id]';
COMMENT ON COLUMN module.id IS 'Position in meta.db [id]';
COMMENT ON COLUMN module.path IS 'Full path [text]';

CREATE TABLE file (
    run INTEGER NOT NULL,
    id INTEGER NOT NULL,
    path VARCHAR NOT NULL,
    copied BOOLEAN NOT NULL
);
COMMENT ON TABLE file IS 'Source files.';
COMMENT ON COLUMN file.run IS 'Run [id]';
COMMENT ON COLUMN file.id IS 'Position in meta.db [id]';
COMMENT ON COLUMN file.path IS 'Path, absolute or relative to the database [text]';
COMMENT ON COLUMN file.copied IS 'Whether the database holds a copy';

CREATE TABLE function (
    run INTEGER NOT NULL,
    id INTEGER NOT NULL,
    name VARCHAR NOT NULL,
    module INTEGER,
    "offset" UBIGINT,
    file INTEGER,
    line UINTEGER
);
COMMENT ON TABLE function IS 'Functions, and named constructs such as <gpu kernel>.';
COMMENT ON COLUMN function.run IS 'Run [id]';
COMMENT ON COLUMN function.id IS 'Position in meta.db [id]';
COMMENT ON COLUMN function.name IS 'Name; one made from module and offset where the file has none [text]';
COMMENT ON COLUMN function.module IS 'Module that contains it [id]';
COMMENT ON COLUMN function."offset" IS 'Entry point within the module [B]';
COMMENT ON COLUMN function.file IS 'File that defines it [id]';
COMMENT ON COLUMN function.line IS 'Line of the definition [1]';

CREATE TABLE context (
    run INTEGER NOT NULL,
    id UINTEGER NOT NULL,
    parent UINTEGER NOT NULL,
    depth INTEGER NOT NULL,
    entry_point VARCHAR NOT NULL,
    relation VARCHAR NOT NULL,
    lexical_type VARCHAR NOT NULL,
    function INTEGER,
    file INTEGER,
    line UINTEGER,
    module INTEGER,
    "offset" UBIGINT
);
COMMENT ON TABLE context IS 'Calling contexts; the whole run is context 0, which has no row.';
COMMENT ON COLUMN context.run IS 'Run [id]';
COMMENT ON COLUMN context.id IS 'Identifier of the context [id]';
COMMENT ON COLUMN context.parent IS 'Enclosing or calling context; 0 for entry points [id]';
COMMENT ON COLUMN context.depth IS 'Distance from context 0; entry points have 1 [count]';
COMMENT ON COLUMN context.entry_point IS 'Entry point that it is below: main thread, application thread, unknown entry [text]';
COMMENT ON COLUMN context.relation IS 'To its parent: entry, lexical, call, inlined call, or unknown(n) [text]';
COMMENT ON COLUMN context.lexical_type IS 'entry, function, loop, line, instruction, or unknown(n) [text]';
COMMENT ON COLUMN context.function IS 'Function [id]';
COMMENT ON COLUMN context.file IS 'Source file [id]';
COMMENT ON COLUMN context.line IS 'Source line [1]';
COMMENT ON COLUMN context.module IS 'Load module [id]';
COMMENT ON COLUMN context."offset" IS 'Offset in the module [B]';

CREATE TABLE metric (
    run INTEGER NOT NULL,
    id INTEGER NOT NULL,
    name VARCHAR NOT NULL,
    scope VARCHAR NOT NULL,
    statistic VARCHAR,
    formula VARCHAR
);
COMMENT ON TABLE metric IS 'What the columns of value and summary mean.';
COMMENT ON COLUMN metric.run IS 'Run [id]';
COMMENT ON COLUMN metric.id IS 'Identifier: 0 to 65535 in value, from 65536 on in summary [id]';
COMMENT ON COLUMN metric.name IS 'Name as the tool writes it, e.g. CPUTIME (sec) [text]';
COMMENT ON COLUMN metric.scope IS 'point, function, lex_aware (exclusive) or execution (inclusive) [text]';
COMMENT ON COLUMN metric.statistic IS 'sum, min or max over profiles for summary; NULL for value [text]';
COMMENT ON COLUMN metric.formula IS 'What the statistic combines: $$ is the value, $$^2 its square, 1 a count [text]';

-- Columns in which a value repeats for thousands of rows say how to compress them: DuckDB
-- would try each of its methods on all rows, which takes a tenth of the time of an ingest.

CREATE TABLE value (
    run INTEGER NOT NULL USING COMPRESSION rle,
    profile INTEGER NOT NULL USING COMPRESSION rle,
    context UINTEGER NOT NULL,
    metric INTEGER NOT NULL,
    value DOUBLE NOT NULL
);
COMMENT ON TABLE value IS 'Non-zero values per profile, calling context and metric. Never sum scopes other than point over contexts.';
COMMENT ON COLUMN value.run IS 'Run [id]';
COMMENT ON COLUMN value.profile IS 'Profile, index in table profile [id]';
COMMENT ON COLUMN value.context IS 'Calling context; 0 is the whole profile [id]';
COMMENT ON COLUMN value.metric IS 'Metric [id]';
COMMENT ON COLUMN value.value IS 'Value, in the unit that the metric''s name gives';

CREATE TABLE summary (
    run INTEGER NOT NULL USING COMPRESSION rle,
    context UINTEGER NOT NULL,
    metric INTEGER NOT NULL,
    value DOUBLE NOT NULL
);
COMMENT ON TABLE summary IS 'Statistics over all profiles per calling context; context 0 is the whole run.';
COMMENT ON COLUMN summary.run IS 'Run [id]';
COMMENT ON COLUMN summary.context IS 'Calling context; 0 is the whole run [id]';
COMMENT ON COLUMN summary.metric IS 'Metric, with its statistic [id]';
COMMENT ON COLUMN summary.value IS 'Value, in the unit that the metric''s name gives';

CREATE TABLE trace (
    run INTEGER NOT NULL USING COMPRESSION rle,
    profile INTEGER NOT NULL USING COMPRESSION rle,
    "time" UBIGINT NOT NULL,
    context UINTEGER NOT NULL,
    duration UBIGINT,
    suspect BOOLEAN NOT NULL USING COMPRESSION rle
);
COMMENT ON TABLE trace IS 'Trace points, in the order of each trace line: from this time on the profile is in this context.';
COMMENT ON COLUMN trace.run IS 'Run [id]';
COMMENT ON COLUMN trace.profile IS 'Profile, index in table profile [id]';
COMMENT ON COLUMN trace."time" IS 'Time since the epoch [ns]';
COMMENT ON COLUMN trace.context IS 'Calling context; 0 means not running [id]';
COMMENT ON COLUMN trace.duration IS 'Time to the next point of the same line, NULL for the last one [ns]';
COMMENT ON COLUMN trace.suspect IS 'Whether it follows an idle of exactly 1 ns: the tool then records wrong durations of GPU operations';

-- Derived from contexts when a run is stored (derive.sql): most metrics of functions join them.

CREATE TABLE enclosing_frame (
    run INTEGER NOT NULL,
    context UINTEGER NOT NULL,
    frame UINTEGER NOT NULL
);
COMMENT ON TABLE enclosing_frame IS 'For each context the call frame that it lies in: itself if it was called, else the nearest called context around it (loops and lines lie in functions).';
COMMENT ON COLUMN enclosing_frame.run IS 'Run [id]';
COMMENT ON COLUMN enclosing_frame.context IS 'Calling context [id]';
COMMENT ON COLUMN enclosing_frame.frame IS 'The calling context of its frame [id]';

CREATE TABLE frame (
    run INTEGER NOT NULL,
    frame UINTEGER NOT NULL,
    caller UINTEGER NOT NULL,
    depth INTEGER NOT NULL,
    entry_point VARCHAR NOT NULL,
    key VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    lexical_type VARCHAR NOT NULL,
    called_file VARCHAR,
    called_line UINTEGER,
    "function" INTEGER,
    module_path VARCHAR,
    python BOOLEAN NOT NULL,
    role VARCHAR NOT NULL,
    waits_in UINTEGER,
    owner VARCHAR,
    callee VARCHAR,
    phase VARCHAR,
    phase_by VARCHAR,
    stub BOOLEAN NOT NULL
);
COMMENT ON TABLE frame IS 'Call frames: contexts that were called (functions, entry points, top-level code, unknown code) with the frame that called them. Scope function summed over frames is the total; equal keys are the same code.';
COMMENT ON COLUMN frame.run IS 'Run [id]';
COMMENT ON COLUMN frame.frame IS 'Its calling context [id]';
COMMENT ON COLUMN frame.caller IS 'The frame that called it; 0 for entry points [id]';
COMMENT ON COLUMN frame.depth IS 'Distance from context 0; entry points have 1 [count]';
COMMENT ON COLUMN frame.entry_point IS 'Entry point that it is below: see table context [text]';
COMMENT ON COLUMN frame.key IS 'The same for the same code: functions of one name, module, file and line, top-level code of one file, unknown code of one module [text]';
COMMENT ON COLUMN frame.name IS 'What was called, in words, at most 2,000 characters [text]';
COMMENT ON COLUMN frame.lexical_type IS 'entry, function, line (top-level code), instruction (unknown code), or unknown(n) [text]';
COMMENT ON COLUMN frame.called_file IS 'File of the context itself, as top-level code has it [text]';
COMMENT ON COLUMN frame.called_line IS 'Line of the context itself [1]';
COMMENT ON COLUMN frame."function" IS 'Function [id]';
COMMENT ON COLUMN frame.module_path IS 'Load module; <logical python> of Python [text]';
COMMENT ON COLUMN frame.python IS 'Whether it is Python';
COMMENT ON COLUMN frame.role IS 'gpu wait (calls that wait for a GPU: is_gpu_wait, and copies in reading_frames), waiting (is_waiting, and what MPI''s libraries call up to the program''s own code), gpu (the rest of a GPU''s runtime, and what that calls) or working [text]';
COMMENT ON COLUMN frame.waits_in IS 'The outermost frame that waits for a GPU [id]';
COMMENT ON COLUMN frame.owner IS 'Key of the program''s own function (is_own) that it belongs to or was called by, through code that is not its own; NULL where there is none, Python imports a module, MPI is called, or PyTorch runs a backward pass or an optimizer, which the program only starts [text]';
COMMENT ON COLUMN frame.callee IS 'The first function that the owner called on the way [text]';
COMMENT ON COLUMN frame.phase IS 'Phase of the program in which it runs, by phase_pattern and the functions on its calling path; NULL where nothing tells [text]';
COMMENT ON COLUMN frame.phase_by IS 'The outermost function that tells the phase [text]';
COMMENT ON COLUMN frame.stub IS 'Whether it is a host stub of a kernel: a function that compilers put in the place of a launch, __device_stub_ or one with the kernel''s own name. Its lines are those of the kernel''s definition, not of the launch';

CREATE TABLE source_place (
    run INTEGER NOT NULL,
    context UINTEGER NOT NULL,
    file VARCHAR,
    line UINTEGER,
    module VARCHAR
);
COMMENT ON TABLE source_place IS 'Where in the sources contexts are: the line that runs, or that calls what runs, in the innermost frame of Python on the calling path, frames of the program before those of installed packages; without Python, in the innermost native frame that has a source file and is no installed code (is_installed). Of a GPU operation, where the host launches it: host stubs do not count.';
COMMENT ON COLUMN source_place.run IS 'Run [id]';
COMMENT ON COLUMN source_place.context IS 'Calling context [id]';
COMMENT ON COLUMN source_place.file IS 'Source file, as source_path says; NULL where no frame has one [text]';
COMMENT ON COLUMN source_place.line IS 'Line, or where the frame has none that of its function''s definition [1]';
COMMENT ON COLUMN source_place.module IS 'Where no frame has a source file, the module of the innermost one outside the GPU''s runtime [text]';

-- Derived from the trace when a run is stored (derive.sql), so that no metric sorts it again.

CREATE TABLE trace_line (
    run INTEGER NOT NULL,
    profile INTEGER NOT NULL,
    kind VARCHAR NOT NULL,
    points BIGINT NOT NULL,
    start BIGINT NOT NULL,
    stop BIGINT NOT NULL,
    active BIGINT NOT NULL,
    longest BIGINT,
    clock VARCHAR,
    launching BOOLEAN NOT NULL
);
COMMENT ON TABLE trace_line IS 'One row per trace line that has points.';
COMMENT ON COLUMN trace_line.run IS 'Run [id]';
COMMENT ON COLUMN trace_line.profile IS 'Profile, index in table profile [id]';
COMMENT ON COLUMN trace_line.kind IS 'CPU thread or GPU stream [text]';
COMMENT ON COLUMN trace_line.points IS 'Trace points [count]';
COMMENT ON COLUMN trace_line.start IS 'First point since the epoch [ns]';
COMMENT ON COLUMN trace_line.stop IS 'Last point since the epoch [ns]';
COMMENT ON COLUMN trace_line.active IS 'Points that are not idle [count]';
COMMENT ON COLUMN trace_line.longest IS 'CPU threads: time after a sample from which on the thread is taken to wait. By the running clock one period: the median distance of two samples of the run. By the elapsed clock ten times that. Never more than the thread''s CPU time, where that was recorded, without what long samples have of it, over its samples [ns]';
COMMENT ON COLUMN trace_line.clock IS 'CPU threads: running where samples are taken by CPU time or cycles, elapsed where they are taken by elapsed time, also of a thread that waits [text]';
COMMENT ON COLUMN trace_line.launching IS 'Whether it is a CPU thread that launches GPU operations: one of its samples shares at least half of the calling path of a GPU operation';

CREATE TABLE long_sample (
    run INTEGER NOT NULL,
    profile INTEGER NOT NULL,
    start BIGINT NOT NULL,
    sample BIGINT NOT NULL
);
COMMENT ON TABLE long_sample IS 'Samples of CPU threads that stand for the time before them too: by the profile, those of their function on this thread carry more than ten periods each. A thread gets no sample within a call of the kernel, which may take seconds.';
COMMENT ON COLUMN long_sample.run IS 'Run [id]';
COMMENT ON COLUMN long_sample.profile IS 'CPU thread, index in table profile [id]';
COMMENT ON COLUMN long_sample.start IS 'Begin of the time that the sample stands for, since the epoch: not before the end of the sample before, and together with the others of its function no more than the profile says [ns]';
COMMENT ON COLUMN long_sample.sample IS 'Moment of the sample, since the epoch [ns]';

CREATE TABLE gpu_context (
    run INTEGER NOT NULL,
    context UINTEGER NOT NULL,
    launcher UINTEGER NOT NULL,
    operation VARCHAR NOT NULL,
    words VARCHAR NOT NULL
);
COMMENT ON TABLE gpu_context IS 'Calling contexts of GPU operations: placeholders such as <gpu kernel> and all below them.';
COMMENT ON COLUMN gpu_context.run IS 'Run [id]';
COMMENT ON COLUMN gpu_context.context IS 'Calling context [id]';
COMMENT ON COLUMN gpu_context.launcher IS 'The context that launched it: the parent of the outermost placeholder [id]';
COMMENT ON COLUMN gpu_context.operation IS 'kernel, copy H2D, copy D2H, copy D2D, copy, memset, allocation, synchronisation or other, by the nearest placeholder [text]';
COMMENT ON COLUMN gpu_context.words IS 'The operation in words: the short name of its kernel, or its kind [text]';

CREATE TABLE gpu_operation (
    run INTEGER NOT NULL,
    profile INTEGER NOT NULL,
    start BIGINT NOT NULL,
    duration BIGINT NOT NULL,
    raw_duration BIGINT NOT NULL,
    repaired BOOLEAN NOT NULL,
    operation VARCHAR NOT NULL,
    context UINTEGER NOT NULL
);
COMMENT ON TABLE gpu_operation IS 'Operations of GPU streams. A suspect one has the median duration of the others of its context, or of its kind where there are none.';
COMMENT ON COLUMN gpu_operation.run IS 'Run [id]';
COMMENT ON COLUMN gpu_operation.profile IS 'GPU stream, index in table profile [id]';
COMMENT ON COLUMN gpu_operation.start IS 'Begin since the epoch [ns]';
COMMENT ON COLUMN gpu_operation.duration IS 'Duration, repaired [ns]';
COMMENT ON COLUMN gpu_operation.raw_duration IS 'Duration as recorded [ns]';
COMMENT ON COLUMN gpu_operation.repaired IS 'Whether duration replaces the recorded one';
COMMENT ON COLUMN gpu_operation.operation IS 'As in gpu_context [text]';
COMMENT ON COLUMN gpu_operation.context IS 'Calling context [id]';

CREATE TABLE gpu_stream (
    run INTEGER NOT NULL,
    profile INTEGER NOT NULL,
    device INTEGER NOT NULL,
    start BIGINT NOT NULL,
    stop BIGINT NOT NULL,
    operations BIGINT NOT NULL
);
COMMENT ON TABLE gpu_stream IS 'GPU streams with operations, and the GPU of each. GPUs are told apart by node, rank and GPU context.';
COMMENT ON COLUMN gpu_stream.run IS 'Run [id]';
COMMENT ON COLUMN gpu_stream.profile IS 'GPU stream, index in table profile [id]';
COMMENT ON COLUMN gpu_stream.device IS 'GPU, numbered from 0 in order of node, rank and GPU context [id]';
COMMENT ON COLUMN gpu_stream.start IS 'Begin of its first operation since the epoch [ns]';
COMMENT ON COLUMN gpu_stream.stop IS 'End of its last operation since the epoch [ns]';
COMMENT ON COLUMN gpu_stream.operations IS 'Its operations [count]';

CREATE TABLE gpu_level (
    run INTEGER NOT NULL,
    device INTEGER NOT NULL,
    start BIGINT NOT NULL,
    stop BIGINT NOT NULL,
    kernels INTEGER NOT NULL,
    copies INTEGER NOT NULL,
    others INTEGER NOT NULL
);
COMMENT ON TABLE gpu_level IS 'How many operations run at once on each GPU, over its streams: intervals without a break from its first operation to its last one. Where all three are 0 the GPU is idle.';
COMMENT ON COLUMN gpu_level.run IS 'Run [id]';
COMMENT ON COLUMN gpu_level.device IS 'GPU: see gpu_stream [id]';
COMMENT ON COLUMN gpu_level.start IS 'Begin since the epoch [ns]';
COMMENT ON COLUMN gpu_level.stop IS 'End since the epoch [ns]';
COMMENT ON COLUMN gpu_level.kernels IS 'Kernels that run [count]';
COMMENT ON COLUMN gpu_level.copies IS 'Copies that run [count]';
COMMENT ON COLUMN gpu_level.others IS 'Other operations that run [count]';

CREATE TABLE cpu_time (
    run INTEGER NOT NULL,
    profile INTEGER NOT NULL,
    context UINTEGER NOT NULL,
    duration BIGINT NOT NULL
);
COMMENT ON TABLE cpu_time IS 'Time that CPU threads ran by calling context, from the trace. A thread runs from a sample on for trace_line.longest at most, and before it where it is a long_sample: see cpu_interval.';
COMMENT ON COLUMN cpu_time.run IS 'Run [id]';
COMMENT ON COLUMN cpu_time.profile IS 'CPU thread, index in table profile [id]';
COMMENT ON COLUMN cpu_time.context IS 'Calling context [id]';
COMMENT ON COLUMN cpu_time.duration IS 'Time [ns]';

CREATE TABLE trace_bin (
    run INTEGER NOT NULL,
    profile INTEGER NOT NULL,
    kind VARCHAR NOT NULL,
    bin INTEGER NOT NULL,
    busy BIGINT NOT NULL
);
COMMENT ON TABLE trace_bin IS 'How long each trace line was busy in each of 1,200 equal parts of the run; no row where it was idle.';
COMMENT ON COLUMN trace_bin.run IS 'Run [id]';
COMMENT ON COLUMN trace_bin.profile IS 'Profile, index in table profile [id]';
COMMENT ON COLUMN trace_bin.kind IS 'CPU thread or GPU stream [text]';
COMMENT ON COLUMN trace_bin.bin IS 'Part, from 0 [id]';
COMMENT ON COLUMN trace_bin.busy IS 'Time in which an operation or the thread ran [ns]';

CREATE TABLE blame (
    run INTEGER NOT NULL,
    period VARCHAR NOT NULL,
    gap VARCHAR NOT NULL,
    steady BOOLEAN NOT NULL,
    octave TINYINT,
    context UINTEGER NOT NULL,
    sampled DOUBLE NOT NULL,
    duration DOUBLE NOT NULL,
    samples DOUBLE NOT NULL,
    square DOUBLE NOT NULL
);
COMMENT ON TABLE blame IS 'Idle time of GPUs by the calling contexts in which launching threads of the same rank were sampled meanwhile: by the samples taken in a gap or, of one that is shorter than ten of their periods, in all gaps of like length. Of several GPUs the mean.';
COMMENT ON COLUMN blame.run IS 'Run [id]';
COMMENT ON COLUMN blame.period IS 'When the gap begins: before the first GPU operation, start-up (from there to the first iteration), warm-up, steady, outlier, last (the incomplete iteration), end (after it); between, in a run without iterations: see macro idle_periods [text]';
COMMENT ON COLUMN blame.gap IS 'short (PC sampling may have made it), wait (the long wait of its iteration) or other: see macro idle_gaps [text]';
COMMENT ON COLUMN blame.steady IS 'Whether it lies in iterations that statistics are made of: complete ones that are no warm-up';
COMMENT ON COLUMN blame.octave IS 'Of gaps that share their samples, the binary logarithm of their length in ns, rounded down; 9 stands for all shorter ones, too. NULL of gaps that have ten periods or more, and before the first GPU operation [count]';
COMMENT ON COLUMN blame.context IS 'Calling context of the CPU thread [id]';
COMMENT ON COLUMN blame.sampled IS 'Idle time of the GPU that its samples account for, one period each, up to duration [ns]';
COMMENT ON COLUMN blame.duration IS 'Idle time of the GPU that its samples stand for: the whole of the gaps in which, or in gaps like which, they were taken [ns]';
COMMENT ON COLUMN blame.samples IS 'Samples that were taken while the GPU was idle; where several threads ran at once, each counts for one over their number [count]';
COMMENT ON COLUMN blame.square IS 'Sum of the squares of what each sample stands for: how unevenly samples stand for idle time [ns2]';

CREATE TABLE iteration (
    run INTEGER NOT NULL,
    iteration INTEGER NOT NULL,
    start BIGINT NOT NULL,
    stop BIGINT NOT NULL,
    gpu_busy BIGINT NOT NULL,
    longest_gap BIGINT NOT NULL,
    mark VARCHAR NOT NULL
);
COMMENT ON TABLE iteration IS 'Iterations of the program, found in the order of GPU operations; no row where none were found.';
COMMENT ON COLUMN iteration.run IS 'Run [id]';
COMMENT ON COLUMN iteration.iteration IS 'Number, from 1 [id]';
COMMENT ON COLUMN iteration.start IS 'Begin since the epoch: its first operation on the busiest stream; of the first iteration the mean over GPUs of first_iteration.start [ns]';
COMMENT ON COLUMN iteration.stop IS 'End since the epoch: begin of the next iteration, or of the last one the end of the last GPU operation [ns]';
COMMENT ON COLUMN iteration.gpu_busy IS 'Time in it in which any operation ran on a GPU, the mean over GPUs [ns]';
COMMENT ON COLUMN iteration.longest_gap IS 'Longest time in it without an operation on a GPU; of several GPUs the mean, each with its whole gaps that begin in it [ns]';
COMMENT ON COLUMN iteration.mark IS 'warm-up, outlier, incomplete (the last one: nothing shows its end) or empty [text]';

CREATE TABLE first_iteration (
    run INTEGER NOT NULL,
    device INTEGER NOT NULL,
    start BIGINT NOT NULL
);
COMMENT ON TABLE first_iteration IS 'When each GPU begins the first iteration: GPUs meet in the iterations that follow, and not before; no row where no iterations were found.';
COMMENT ON COLUMN first_iteration.run IS 'Run [id]';
COMMENT ON COLUMN first_iteration.device IS 'The GPU: see gpu_stream.device [id]';
COMMENT ON COLUMN first_iteration.start IS 'Begin since the epoch: the first operation on it in a context that begins iterations, or where the host began before, see macro first_iteration_begin; that of the busiest stream where there is none before the second iteration [ns]';

CREATE TABLE kernel_context (
    run INTEGER NOT NULL,
    context UINTEGER NOT NULL,
    kernel VARCHAR NOT NULL,
    short VARCHAR NOT NULL,
    named BOOLEAN NOT NULL,
    "time" DOUBLE NOT NULL,
    launches DOUBLE,
    registers DOUBLE,
    threads DOUBLE,
    static_shared DOUBLE,
    dynamic_shared DOUBLE,
    occupancy DOUBLE
);
COMMENT ON TABLE kernel_context IS 'Calling contexts that kernels ran in, as measured, means per launch.';
COMMENT ON COLUMN kernel_context.run IS 'Run [id]';
COMMENT ON COLUMN kernel_context.context IS 'Calling context [id]';
COMMENT ON COLUMN kernel_context.kernel IS 'Name of the kernel, at most 2,000 characters; of kernels without one, of what launched them [text]';
COMMENT ON COLUMN kernel_context.short IS 'Short name, made unique by a number where kernels share one [text]';
COMMENT ON COLUMN kernel_context.named IS 'Whether the profile holds the kernel''s name';
COMMENT ON COLUMN kernel_context."time" IS 'Time [s]';
COMMENT ON COLUMN kernel_context.launches IS 'Launches, from the trace in a run that counts none [count]';
COMMENT ON COLUMN kernel_context.registers IS 'Registers per thread [count]';
COMMENT ON COLUMN kernel_context.threads IS 'Threads per block [count]';
COMMENT ON COLUMN kernel_context.static_shared IS 'Static shared memory per block [B]';
COMMENT ON COLUMN kernel_context.dynamic_shared IS 'Dynamic shared memory per block [B]';
COMMENT ON COLUMN kernel_context.occupancy IS 'Theoretical occupancy, where the hardware is known; NULL where not a single block fits, since such a launch fails: what was recorded is then wrong [ratio]';

CREATE TABLE late_cost (
    run INTEGER NOT NULL,
    profile INTEGER NOT NULL,
    frame UINTEGER NOT NULL,
    late DOUBLE NOT NULL,
    beyond DOUBLE NOT NULL
);
COMMENT ON TABLE late_cost IS 'Elapsed time of each CPU thread in the code of each frame beyond one punctual distance for each of its samples (two usual ones where samples are few): time in which a thread had no core or was held by the kernel or the profiler, if the frame does not wait. No rows without a trace, or of CPU time.';
COMMENT ON COLUMN late_cost.run IS 'Run [id]';
COMMENT ON COLUMN late_cost.profile IS 'CPU thread, index in table profile [id]';
COMMENT ON COLUMN late_cost.frame IS 'Call frame [id]';
COMMENT ON COLUMN late_cost.late IS 'Time that came late, so that the sum of all is a lower bound: less the error of the sum, in the same proportion everywhere [s]';
COMMENT ON COLUMN late_cost.beyond IS 'Time that came late as the samples tell it, without that error: what shares of work leave out [s]';

CREATE TABLE cpu_cost (
    run INTEGER NOT NULL,
    frame UINTEGER NOT NULL,
    exclusive DOUBLE NOT NULL,
    inclusive DOUBLE NOT NULL,
    late DOUBLE NOT NULL,
    beyond DOUBLE NOT NULL,
    waits DOUBLE NOT NULL
);
COMMENT ON TABLE cpu_cost IS 'CPU cost of call frames, in the event by which it is ranked in a run (cpu_event).';
COMMENT ON COLUMN cpu_cost.run IS 'Run [id]';
COMMENT ON COLUMN cpu_cost.frame IS 'Call frame [id]';
COMMENT ON COLUMN cpu_cost.exclusive IS 'Spent in the frame itself';
COMMENT ON COLUMN cpu_cost.inclusive IS 'Spent in the frame and in all that it called';
COMMENT ON COLUMN cpu_cost.late IS 'What came late, of all threads, for a lower bound of the sum (late_cost)';
COMMENT ON COLUMN cpu_cost.beyond IS 'What came late, of all threads, as the samples tell it: no work (late_cost)';
COMMENT ON COLUMN cpu_cost.waits IS 'How much of what is spent in a frame of Python is waiting, at most: as much as samples wait unseen by the profile below the frame or its caller (hidden_waits)';

CREATE TABLE thread_cost (
    run INTEGER NOT NULL,
    profile INTEGER NOT NULL,
    work DOUBLE NOT NULL,
    waits DOUBLE NOT NULL
);
COMMENT ON TABLE thread_cost IS 'CPU cost of each CPU thread that works.';
COMMENT ON COLUMN thread_cost.run IS 'Run [id]';
COMMENT ON COLUMN thread_cost.profile IS 'CPU thread, index in table profile [id]';
COMMENT ON COLUMN thread_cost.work IS 'Cost without waiting, without a GPU''s runtime and without what came late (late_cost.beyond), in the run''s CPU event';
COMMENT ON COLUMN thread_cost.waits IS 'How much of that is waiting that the profile charges to functions of Python, at most: as much as the thread''s samples wait unseen by its profile below a frame of Python or its caller (hidden_waits)';

CREATE TABLE main_stretch (
    run INTEGER NOT NULL,
    frame UINTEGER NOT NULL,
    spent DOUBLE NOT NULL,
    begins DOUBLE NOT NULL,
    ends DOUBLE NOT NULL,
    running DOUBLE,
    part VARCHAR NOT NULL,
    profiled BOOLEAN NOT NULL,
    distance DOUBLE NOT NULL,
    threads INTEGER NOT NULL,
    "after" DOUBLE NOT NULL,
    after_square DOUBLE NOT NULL,
    after_lost DOUBLE NOT NULL,
    before DOUBLE NOT NULL,
    before_square DOUBLE NOT NULL,
    before_lost DOUBLE NOT NULL,
    dropped DOUBLE
);
COMMENT ON TABLE main_stretch IS 'What the main thread of each rank does on the clock: the time before each of its samples, from the sample before, by the frame of the sample (of whole periods of the timer that end in the profiler''s own calls, or in a phase that drops next to no samples after one that drops most, all but one by that of the sample before); what the thread waits for the backward pass in it, as another thread''s samples of that show, is in rows of its own.';
COMMENT ON COLUMN main_stretch.run IS 'Run [id]';
COMMENT ON COLUMN main_stretch.frame IS 'Call frame [id]';
COMMENT ON COLUMN main_stretch.spent IS 'Time [ns]';
COMMENT ON COLUMN main_stretch.begins IS 'When the first such stretch begins, from the begin of the run [ns]';
COMMENT ON COLUMN main_stretch.ends IS 'When the last such stretch ends, from the begin of the run [ns]';
COMMENT ON COLUMN main_stretch.running IS 'How much of the time the thread ran, by its samples of CPU time; NULL where it was sampled otherwise [ns]';
COMMENT ON COLUMN main_stretch.part IS 'Phase of the program (frame.phase; initialisation where gpu_start has the frame), waiting, or other [text]';
COMMENT ON COLUMN main_stretch.profiled IS 'Whether the sample is in the profiler''s own calls (profiler_contexts); where the thread waits for the backward pass, the other thread''s samples, by whose number each such stretch is divided';
COMMENT ON COLUMN main_stretch.distance IS 'Median of all samples'' stretches [ns]';
COMMENT ON COLUMN main_stretch.threads IS 'How many main threads there are [count]';
COMMENT ON COLUMN main_stretch."after" IS 'How long its stretches that follow another part are, which may be that part''s; of what it waits for the backward pass, a distance of the other thread''s samples [ns]';
COMMENT ON COLUMN main_stretch.after_square IS 'Sum of the squares of these; of the other thread''s samples, also what dividing by their number leaves open [ns2]';
COMMENT ON COLUMN main_stretch.after_lost IS 'What of these is periods of the earlier part whose samples the profiler dropped, as it does within that part; of what it waits for the backward pass, what the other thread''s samples do not show, but no more than such periods are at once elsewhere [ns]';
COMMENT ON COLUMN main_stretch.before IS 'How long the stretches of other parts that follow it are, which may be its own; of what it waits for the backward pass as in after [ns]';
COMMENT ON COLUMN main_stretch.before_square IS 'Sum of the squares of these, as in after_square [ns2]';
COMMENT ON COLUMN main_stretch.before_lost IS 'What of these, and of what it waits for the backward pass beside it, is such periods: see after_lost; of those waits, how much more of them the other thread''s samples show than all are together [ns]';
COMMENT ON COLUMN main_stretch.dropped IS 'How long its stretches of a whole number of the timer''s periods are beyond one period each, less those that are none (timer_gaps): waits are the one no more often than the other, so what is left is periods in which the thread ran and the profiler dropped the sample. NULL where timer_gaps tell nothing [ns]';

CREATE TABLE gpu_start (
    run INTEGER NOT NULL,
    name VARCHAR NOT NULL,
    frame UINTEGER NOT NULL,
    start BIGINT NOT NULL,
    stop BIGINT NOT NULL
);
COMMENT ON TABLE gpu_start IS 'When threads initialise the GPU, without overlap: of a run with GPU operations those that launch them, before the first operation; of one without, all CPU threads. From the sample of a thread before to a sample whose calling path has an initialising function of phase_pattern, or a first allocation (cudaMalloc, hipMalloc) where these take more than 0.1 s in all: that makes the context.';
COMMENT ON COLUMN gpu_start.run IS 'Run [id]';
COMMENT ON COLUMN gpu_start.name IS 'That function [text]';
COMMENT ON COLUMN gpu_start.frame IS 'Frame of the sample [id]';
COMMENT ON COLUMN gpu_start.start IS 'Begin since the epoch [ns]';
COMMENT ON COLUMN gpu_start.stop IS 'End since the epoch [ns]';

CREATE TABLE idle_time (
    run INTEGER NOT NULL,
    context UINTEGER NOT NULL,
    duration BIGINT NOT NULL,
    clocked BIGINT
);
COMMENT ON TABLE idle_time IS 'Time in which no CPU thread runs and no GPU operation, between the first and the last of them (cpu_interval), of runs that were sampled by the running clock.';
COMMENT ON COLUMN idle_time.run IS 'Run [id]';
COMMENT ON COLUMN idle_time.context IS 'Calling context of the sample that ends it, 0 of a GPU operation [id]';
COMMENT ON COLUMN idle_time.duration IS 'Time [ns]';
COMMENT ON COLUMN idle_time.clocked IS 'Part of it that ends with a sample taken a whole number of the timer''s periods after the thread''s last one (timer_gaps): the thread''s CPU clock ran, waits end so by chance only. NULL where that is not told, or the run has GPU operations [ns]';

CREATE TABLE idle_total (
    run INTEGER NOT NULL,
    period VARCHAR NOT NULL,
    gap VARCHAR NOT NULL,
    inside BOOLEAN NOT NULL,
    first BIGINT NOT NULL,
    duration HUGEINT NOT NULL
);
COMMENT ON TABLE idle_total IS 'Idle time of GPUs by kind: sums over idle_gaps.';
COMMENT ON COLUMN idle_total.run IS 'Run [id]';
COMMENT ON COLUMN idle_total.period IS 'When it begins: see idle_gaps [text]';
COMMENT ON COLUMN idle_total.gap IS 'Kind of gap: see idle_gaps [text]';
COMMENT ON COLUMN idle_total.inside IS 'Whether it lies between operations';
COMMENT ON COLUMN idle_total.first IS 'Begin of the first one, since the epoch [ns]';
COMMENT ON COLUMN idle_total.duration IS 'Time, the sum over GPUs [ns]';
