-- The store: one DuckDB file per project, any number of runs.
-- Every table starts with `run`; identifiers are those of the profile's own files
-- and unique within a run only, so join on run and identifier.

CREATE TABLE store_info (
    key VARCHAR PRIMARY KEY,
    value VARCHAR NOT NULL
);
COMMENT ON TABLE store_info IS 'What this file is: schema_version and the version of Perfolio that made it.';
COMMENT ON COLUMN store_info.key IS 'schema_version, perfolio_version, definition (a hash of tables, models and reference rows) [text]';
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
COMMENT ON COLUMN run.content IS
    'SHA-256 over all that a number follows from: names and hashes of the files, hardware, settings, and the version '
    'that stored them [text]';
COMMENT ON COLUMN run.files IS 'Name, size [B], SHA-256 and format version of each file that was read';
COMMENT ON COLUMN run.tool IS 'The tool that made the profile [text]';
COMMENT ON COLUMN run.format_version IS 'Version of the format, as the files say [text]';
COMMENT ON COLUMN run.title IS 'Title of profile.toml, else of the database (the executable) [text]';
COMMENT ON COLUMN run.description IS 'Description of profile.toml, else of the database [text]';
COMMENT ON COLUMN run.hardware IS 'Name in the table hardware: by profile.toml, else by the name that the profile gives the device [text]';
COMMENT ON COLUMN run.notes IS 'Notes of profile.toml [text]';
COMMENT ON COLUMN run.warnings IS 'What the reader had to tolerate [text]';

CREATE TABLE setting (
    run INTEGER NOT NULL,
    key VARCHAR NOT NULL,
    value VARCHAR NOT NULL
);
COMMENT ON TABLE setting IS
    'Further entries of profile.toml: workload.<name>, model_flops, simulated, event_period; device.name, what the profile '
    'calls the GPU; and run.ranks, how many ranks the profile says that the whole run has.';
COMMENT ON COLUMN setting.run IS 'Run [id]';
COMMENT ON COLUMN setting.key IS 'Dotted name, e.g. workload.batch_size [text]';
COMMENT ON COLUMN setting.value IS 'The value as text; cast it to use it as a number [text]';

CREATE TABLE attachment (
    run INTEGER NOT NULL,
    name VARCHAR NOT NULL,
    content VARCHAR NOT NULL
);
COMMENT ON TABLE attachment IS 'Texts that are kept: claims.toml, as it lay beside the profile; hosts.json, names of machines by rank.';
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

CREATE TABLE device_name (
    device VARCHAR NOT NULL PRIMARY KEY,
    hardware VARCHAR NOT NULL
);
COMMENT ON TABLE device_name IS 'What drivers call devices of the table hardware, where the name tells one of them.';
COMMENT ON COLUMN device_name.device IS 'Name by the driver [text]';
COMMENT ON COLUMN device_name.hardware IS 'Name in the table hardware [text]';

CREATE TABLE phase_pattern (
    rank INTEGER NOT NULL PRIMARY KEY,
    phase VARCHAR NOT NULL,
    "function" VARCHAR NOT NULL,
    file VARCHAR,
    copies BOOLEAN NOT NULL,
    about VARCHAR
);
COMMENT ON TABLE phase_pattern IS
    'Which functions on a calling path tell the phase of a program; where several do, the one of the lowest rank. '
    'Functions of PyTorch tell initialisation of the GPU only in runs with a module of a GPU''s runtime or driver.';
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
COMMENT ON COLUMN fusable_pattern.role IS
    'batched product, linear layer (which a batched product is not), softmax, other softmax (which is none of '
    'attention), backward, or optimiser [text]';
COMMENT ON COLUMN fusable_pattern.tells IS
    'Which names of a kernel''s calling path may match: kernel (its own) or any, both whole and in lower case; or '
    'caller (of the functions above it, without what follows the first bracket) [text]';
COMMENT ON COLUMN fusable_pattern.pattern IS 'Regular expression (RE2), anywhere in the name [text]';
COMMENT ON COLUMN fusable_pattern.about IS 'What that is [text]';

CREATE TABLE device_memory (
    name VARCHAR NOT NULL PRIMARY KEY,
    bytes DOUBLE NOT NULL
);
COMMENT ON TABLE device_memory IS 'Nominal memory of devices of the table hardware.';
COMMENT ON COLUMN device_memory.name IS 'Name in the table hardware [text]';
COMMENT ON COLUMN device_memory.bytes IS 'Nominal memory [B]';

CREATE TABLE published_run (
    model VARCHAR NOT NULL PRIMARY KEY,
    device VARCHAR NOT NULL,
    mfu DOUBLE NOT NULL,
    hfu DOUBLE,
    source VARCHAR NOT NULL
);
COMMENT ON TABLE published_run IS 'Utilisation of training runs as it was published, for comparison.';
COMMENT ON COLUMN published_run.model IS 'Model, and which of its runs [text]';
COMMENT ON COLUMN published_run.device IS 'Device [text]';
COMMENT ON COLUMN published_run.mfu IS 'Model FLOP utilisation [ratio]';
COMMENT ON COLUMN published_run.hfu IS 'Hardware FLOP utilisation, with what was computed again; NULL where it was not published [ratio]';
COMMENT ON COLUMN published_run.source IS 'Where that was published [text]';

CREATE TABLE kernel_pattern (
    rank INTEGER NOT NULL PRIMARY KEY,
    class VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    looks_at VARCHAR NOT NULL,
    pattern VARCHAR NOT NULL,
    about VARCHAR
);
COMMENT ON TABLE kernel_pattern IS 'Names by which a kernel is known to do a class of work; where several match, the one of the lowest rank.';
COMMENT ON COLUMN kernel_pattern.rank IS 'Order, the first one wins [id]';
COMMENT ON COLUMN kernel_pattern.class IS
    'collective, product (of matrices, or a convolution), attention (in one kernel), fused (by a compiler), optimizer, cast or copy, '
    'normalisation (softmax, too), indexing, reduction, element-wise, pooling, or other [text]';
COMMENT ON COLUMN kernel_pattern.kind IS
    'collective or library product, which leave warp slots free on purpose (products hold large tiles in registers, collectives take '
    'few multiprocessors), or other [text]';
COMMENT ON COLUMN kernel_pattern.looks_at IS
    'Where the pattern may be: name, function (the name without namespaces and arguments), or argument (of a function that does '
    'whatever its arguments say) [text]';
COMMENT ON COLUMN kernel_pattern.pattern IS 'Regular expression (RE2), in either case [text]';
COMMENT ON COLUMN kernel_pattern.about IS 'What that is [text]';

CREATE TABLE engine_step_pattern (
    rank INTEGER NOT NULL PRIMARY KEY,
    kind VARCHAR,
    engine VARCHAR,
    pattern VARCHAR NOT NULL,
    about VARCHAR
);
COMMENT ON TABLE engine_step_pattern IS 'Names that engines which serve a language model give their steps; the first row that fits counts.';
COMMENT ON COLUMN engine_step_pattern.rank IS 'Order, the first one wins [id]';
COMMENT ON COLUMN engine_step_pattern.kind IS
    'prefill, decode, mixed, warm-up or capture; NULL where numbers of requests tell it [text]';
COMMENT ON COLUMN engine_step_pattern.engine IS 'Engine; NULL where the name is that of a range around a step, or in it [text]';
COMMENT ON COLUMN engine_step_pattern.pattern IS
    'Regular expression (RE2). Its groups: requests and tokens of prompts, requests and tokens of answers; empty where the name tells none [text]';
COMMENT ON COLUMN engine_step_pattern.about IS 'What that is [text]';

CREATE TABLE operator_pattern (
    rank INTEGER NOT NULL PRIMARY KEY,
    kind VARCHAR NOT NULL,
    pattern VARCHAR NOT NULL,
    about VARCHAR
);
COMMENT ON TABLE operator_pattern IS 'Names by which operators of a framework tell what they do.';
COMMENT ON COLUMN operator_pattern.rank IS 'Number of the row; several rows of a kind are alternatives [id]';
COMMENT ON COLUMN operator_pattern.kind IS
    'product, batched product, scores (of attention that no kernel of its own does), softmax, reordering of values, element-wise, '
    'loading, checkpoint, collective, or cache (kernels of a server that put keys and values into one) [text]';
COMMENT ON COLUMN operator_pattern.pattern IS 'Regular expression (RE2), anywhere in the name [text]';
COMMENT ON COLUMN operator_pattern.about IS 'What that is [text]';

CREATE TABLE operation_pattern (
    rank INTEGER NOT NULL PRIMARY KEY,
    pattern VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    form VARCHAR NOT NULL,
    first INTEGER NOT NULL,
    second INTEGER NOT NULL,
    third INTEGER,
    offsets INTEGER,
    causal INTEGER,
    stride INTEGER,
    padding INTEGER,
    dilation INTEGER,
    transposed INTEGER,
    groups INTEGER,
    mask INTEGER,
    about VARCHAR
);
COMMENT ON TABLE operation_pattern IS 'Operators of a framework whose operations the sizes of their arguments tell, and which argument is which.';
COMMENT ON COLUMN operation_pattern.rank IS 'Order, the first one wins [id]';
COMMENT ON COLUMN operation_pattern.pattern IS 'Regular expression (RE2), anywhere in the name [text]';
COMMENT ON COLUMN operation_pattern.kind IS 'product, attention or convolution [text]';
COMMENT ON COLUMN operation_pattern.form IS
    'product: of [m, k] and [k, n], or batches of both; transposed product: of [m, k] and [n, k]; grouped product: a side without a dimension '
    'of groups has the rows of all of them; attention: sizes are batch, heads, tokens, width; attention by token: batch, tokens, heads, width, '
    'or tokens, heads, width of packed sequences; convolution; transposed convolution. Those of a backward pass begin with backward [text]';
COMMENT ON COLUMN operation_pattern.first IS 'Place of the left matrix, of the queries, or of the input among the arguments [count]';
COMMENT ON COLUMN operation_pattern.second IS 'Place of the right matrix, of the keys, or of the weights [count]';
COMMENT ON COLUMN operation_pattern.third IS 'Place of the values of attention, or of the gradient of a convolution''s output [count]';
COMMENT ON COLUMN operation_pattern.offsets IS 'Place of where groups of rows end, or packed sequences begin [count]';
COMMENT ON COLUMN operation_pattern.causal IS 'Place of the flag of causal attention among those arguments that are True or False [count]';
COMMENT ON COLUMN operation_pattern.stride IS 'Place of a convolution''s strides [count]';
COMMENT ON COLUMN operation_pattern.padding IS 'Place of its padding [count]';
COMMENT ON COLUMN operation_pattern.dilation IS 'Place of its dilation [count]';
COMMENT ON COLUMN operation_pattern.transposed IS 'Place of whether it is transposed; the padding of its output follows [count]';
COMMENT ON COLUMN operation_pattern.groups IS 'Place of its number of groups [count]';
COMMENT ON COLUMN operation_pattern.mask IS 'Place of which gradients its backward pass computes [count]';
COMMENT ON COLUMN operation_pattern.about IS 'What that is [text]';

CREATE TABLE profile (
    run INTEGER NOT NULL,
    "index" INTEGER NOT NULL,
    identifier_tuple VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    node UBIGINT,
    rank UBIGINT,
    thread UBIGINT,
    gpu_context UBIGINT,
    gpu_stream UBIGINT,
    process UBIGINT
);
COMMENT ON TABLE profile IS 'One row per measured CPU thread or GPU stream.';
COMMENT ON COLUMN profile.run IS 'Run [id]';
COMMENT ON COLUMN profile."index" IS 'Position in profile.db, from 1; 0 is the summary and has no row [id]';
COMMENT ON COLUMN profile.identifier_tuple IS 'Identifiers from largest to smallest; not unique [text]';
COMMENT ON COLUMN profile.kind IS
    'CPU thread, GPU stream, rank, node or other: the last identifier; ranks: all of them, added up or as a mean [text]';
COMMENT ON COLUMN profile.node IS 'Host identifier [id]';
COMMENT ON COLUMN profile.rank IS 'Rank of the process [id]';
COMMENT ON COLUMN profile.thread IS 'CPU thread [id]';
COMMENT ON COLUMN profile.gpu_context IS 'GPU context, as HPCToolkit numbers those of a process: no number of a device [id]';
COMMENT ON COLUMN profile.gpu_stream IS 'GPU stream or queue [id]';
COMMENT ON COLUMN profile.process IS 'Process among those of the run, from 0, where the tool names it; a rank may have several [id]';

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
    measure VARCHAR NOT NULL,
    scope VARCHAR NOT NULL,
    statistic VARCHAR,
    formula VARCHAR
);
COMMENT ON TABLE metric IS 'What the columns of value and summary mean.';
COMMENT ON COLUMN metric.run IS 'Run [id]';
COMMENT ON COLUMN metric.id IS 'Identifier: 0 to 65535 in value, from 65536 on in summary [id]';
COMMENT ON COLUMN metric.name IS 'Name as the tool writes it, e.g. CPUTIME (sec) [text]';
COMMENT ON COLUMN metric.measure IS 'What it measures, in words that all tools share, e.g. cpu_time; its name where these have none [text]';
COMMENT ON COLUMN metric.scope IS 'point, function, lex_aware (exclusive) or execution (inclusive) [text]';
COMMENT ON COLUMN metric.statistic IS 'sum, min or max over profiles for summary, also mean where a profile adds ranks up; NULL for value [text]';
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

CREATE TABLE host_stay (
    run INTEGER NOT NULL,
    profile INTEGER NOT NULL,
    start BIGINT NOT NULL,
    duration BIGINT NOT NULL,
    context UINTEGER NOT NULL
);
COMMENT ON TABLE host_stay IS
    'How long threads stayed in each innermost context, from tools that record begins and ends; no row from tools that take '
    'samples, nor of time in which a thread was in nothing that was recorded.';
COMMENT ON COLUMN host_stay.run IS 'Run [id]';
COMMENT ON COLUMN host_stay.profile IS 'Thread, index in table profile [id]';
COMMENT ON COLUMN host_stay.start IS 'Begin since the epoch [ns]';
COMMENT ON COLUMN host_stay.duration IS 'Duration [ns]';
COMMENT ON COLUMN host_stay.context IS 'Innermost calling context [id]';

CREATE TABLE host_call (
    run INTEGER NOT NULL,
    id BIGINT NOT NULL,
    profile INTEGER NOT NULL,
    name VARCHAR NOT NULL,
    start BIGINT NOT NULL,
    duration BIGINT NOT NULL,
    context UINTEGER NOT NULL
);
COMMENT ON TABLE host_call IS 'Calls of a GPU''s runtime or driver, each as it was recorded; no row from tools that take samples.';
COMMENT ON COLUMN host_call.run IS 'Run [id]';
COMMENT ON COLUMN host_call.id IS 'Number of the call [id]';
COMMENT ON COLUMN host_call.profile IS 'Thread, index in table profile [id]';
COMMENT ON COLUMN host_call.name IS 'Name of the function that was called [text]';
COMMENT ON COLUMN host_call.start IS 'Begin since the epoch [ns]';
COMMENT ON COLUMN host_call.duration IS 'Duration [ns]';
COMMENT ON COLUMN host_call.context IS 'Calling context of the call itself [id]';

CREATE TABLE host_range (
    run INTEGER NOT NULL,
    id BIGINT NOT NULL,
    profile INTEGER NOT NULL,
    kind VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    start BIGINT NOT NULL,
    duration BIGINT NOT NULL,
    context UINTEGER NOT NULL,
    parent BIGINT,
    shapes VARCHAR,
    types VARCHAR,
    flags VARCHAR,
    settings VARCHAR
);
COMMENT ON TABLE host_range IS 'Ranges that a program or framework marks on its threads: steps, annotations and operators.';
COMMENT ON COLUMN host_range.run IS 'Run [id]';
COMMENT ON COLUMN host_range.id IS 'Number of the range [id]';
COMMENT ON COLUMN host_range.profile IS 'Thread, index in table profile [id]';
COMMENT ON COLUMN host_range.kind IS 'step, annotation or operator [text]';
COMMENT ON COLUMN host_range.name IS 'Name of the range [text]';
COMMENT ON COLUMN host_range.start IS 'Begin since the epoch [ns]';
COMMENT ON COLUMN host_range.duration IS 'Duration [ns]';
COMMENT ON COLUMN host_range.context IS 'Its calling context; of a step, that around it [id]';
COMMENT ON COLUMN host_range.parent IS 'Number of the range, call or function of Python around it [id]';
COMMENT ON COLUMN host_range.shapes IS 'Sizes of an operator''s arguments, as the tool writes them [text]';
COMMENT ON COLUMN host_range.types IS 'Types of an operator''s arguments, as the tool writes them [text]';
COMMENT ON COLUMN host_range.flags IS 'Those of an operator''s arguments that are True or False, in order, separated by commas [text]';
COMMENT ON COLUMN host_range.settings IS 'Arguments of a convolution that are no tensors, as the tool writes them [text]';

CREATE TABLE host_function (
    run INTEGER NOT NULL,
    id BIGINT NOT NULL,
    profile INTEGER NOT NULL,
    kind VARCHAR NOT NULL,
    start BIGINT NOT NULL,
    duration BIGINT NOT NULL,
    context UINTEGER NOT NULL,
    depth INTEGER NOT NULL
);
COMMENT ON TABLE host_function IS 'Calls of functions of Python, of libraries and of the system, each as recorded; none from samples.';
COMMENT ON COLUMN host_function.run IS 'Run [id]';
COMMENT ON COLUMN host_function.id IS 'Number of the call, as host_range.parent names it [id]';
COMMENT ON COLUMN host_function.profile IS 'Thread, index in table profile [id]';
COMMENT ON COLUMN host_function.kind IS 'python, library or system [text]';
COMMENT ON COLUMN host_function.start IS 'Begin since the epoch [ns]';
COMMENT ON COLUMN host_function.duration IS 'Duration [ns]';
COMMENT ON COLUMN host_function.context IS 'Its calling context, which names it [id]';
COMMENT ON COLUMN host_function.depth IS 'Calling contexts above it, the entry point included [count]';

CREATE TABLE memory_event (
    run INTEGER NOT NULL,
    profile INTEGER NOT NULL,
    "time" BIGINT NOT NULL,
    device BIGINT,
    bytes BIGINT NOT NULL,
    allocated BIGINT,
    reserved BIGINT,
    address BIGINT
);
COMMENT ON TABLE memory_event IS 'Allocations and releases of memory by a framework''s allocator.';
COMMENT ON COLUMN memory_event.run IS 'Run [id]';
COMMENT ON COLUMN memory_event.profile IS 'Thread, index in table profile [id]';
COMMENT ON COLUMN memory_event."time" IS 'Moment since the epoch [ns]';
COMMENT ON COLUMN memory_event.device IS 'GPU, as the tool numbers it; NULL for memory of the host [id]';
COMMENT ON COLUMN memory_event.bytes IS 'What was allocated; negative for what was released [B]';
COMMENT ON COLUMN memory_event.allocated IS 'What is allocated afterwards; NULL where it is not recorded [B]';
COMMENT ON COLUMN memory_event.reserved IS 'What the allocator has reserved afterwards; NULL where it is not recorded [B]';
COMMENT ON COLUMN memory_event.address IS 'Where, by which a release is told from others; NULL where it is not recorded [id]';

CREATE TABLE collective (
    run INTEGER NOT NULL,
    profile INTEGER NOT NULL,
    start BIGINT NOT NULL,
    duration BIGINT NOT NULL,
    name VARCHAR NOT NULL,
    "group" VARCHAR NOT NULL,
    ranks BIGINT,
    bytes BIGINT,
    "type" VARCHAR NOT NULL,
    sequence BIGINT
);
COMMENT ON TABLE collective IS 'Kernels of communication libraries with what they were asked to do.';
COMMENT ON COLUMN collective.run IS 'Run [id]';
COMMENT ON COLUMN collective.profile IS 'GPU stream, index in table profile [id]';
COMMENT ON COLUMN collective.start IS 'Begin since the epoch: with the stream, that of its operation [ns]';
COMMENT ON COLUMN collective.duration IS 'Duration, waiting for other ranks included [ns]';
COMMENT ON COLUMN collective.name IS 'Operation, e.g. allreduce [text]';
COMMENT ON COLUMN collective."group" IS 'Name of the group of ranks [text]';
COMMENT ON COLUMN collective.ranks IS 'Ranks of the group [count]';
COMMENT ON COLUMN collective.bytes IS 'Size of the message, the larger of what goes in and out of a rank [B]';
COMMENT ON COLUMN collective."type" IS 'Type of its elements [text]';
COMMENT ON COLUMN collective.sequence IS 'Number among those of its group, the same on all ranks; NULL where it is not recorded [id]';

CREATE TABLE stream_wait (
    run INTEGER NOT NULL,
    "call" BIGINT,
    kind VARCHAR NOT NULL,
    profile INTEGER,
    stream BIGINT,
    event BIGINT,
    record BIGINT,
    source INTEGER,
    source_stream BIGINT
);
COMMENT ON TABLE stream_wait IS
    'Which streams and events waits are for, and where events are recorded; no row from tools that record the calls alone.';
COMMENT ON COLUMN stream_wait.run IS 'Run [id]';
COMMENT ON COLUMN stream_wait."call" IS 'Number of the call that records or waits, as in host_call; NULL where it is not recorded [id]';
COMMENT ON COLUMN stream_wait.kind IS
    'record: of an event in the stream; stream: the stream waits for the event; host: the call waits, for the event, else for the '
    'stream, else for all streams [text]';
COMMENT ON COLUMN stream_wait.profile IS 'The stream, index in table profile; NULL where none is named, or it did nothing [id]';
COMMENT ON COLUMN stream_wait.stream IS 'The stream, as the tool numbers those of the device; NULL where none is named [id]';
COMMENT ON COLUMN stream_wait.event IS 'The event, as the tool numbers it; NULL where there is none [id]';
COMMENT ON COLUMN stream_wait.record IS 'Number of the call that recorded the event; NULL where that is not recorded [id]';
COMMENT ON COLUMN stream_wait.source IS
    'The stream in which the event was recorded, index in table profile; NULL where that is not recorded, or it did nothing [id]';
COMMENT ON COLUMN stream_wait.source_stream IS
    'The same stream, as the tool numbers it; NULL where that is not recorded [id]';

CREATE TABLE clock (
    run INTEGER NOT NULL,
    process INTEGER NOT NULL,
    node UBIGINT,
    rank UBIGINT,
    gpu BIGINT,
    "offset" BIGINT NOT NULL,
    low BIGINT,
    high BIGINT,
    facts BIGINT NOT NULL,
    is_constant BOOLEAN NOT NULL
);
COMMENT ON TABLE clock IS
    'Clocks that are off, of GPUs against their host and of hosts against that of the first rank; no time has a constant offset any more.';
COMMENT ON COLUMN clock.run IS 'Run [id]';
COMMENT ON COLUMN clock.process IS 'Number of the process in its recording, from 0 [id]';
COMMENT ON COLUMN clock.node IS 'Node of the process [id]';
COMMENT ON COLUMN clock.rank IS 'Rank of the process [id]';
COMMENT ON COLUMN clock.gpu IS 'GPU, as GPU context of table profile; NULL for the clock of the host [id]';
COMMENT ON COLUMN clock."offset" IS 'What was taken off its times; 0 where no offset is constant [ns]';
COMMENT ON COLUMN clock.low IS 'Least offset with which waits return after their work, or collectives end once all ranks have come [ns]';
COMMENT ON COLUMN clock.high IS 'Greatest offset with which operations begin after their launch, or collectives end once all ranks have come [ns]';
COMMENT ON COLUMN clock.facts IS 'How many launches and waits, or collectives, tell it [count]';
COMMENT ON COLUMN clock.is_constant IS 'Whether one offset agrees with them; else the clock drifts, and what compares its times is not measured';

CREATE TABLE plausibility (
    run INTEGER NOT NULL,
    what VARCHAR NOT NULL,
    title VARCHAR NOT NULL,
    number BIGINT NOT NULL,
    whole BIGINT NOT NULL,
    "time" BIGINT,
    says VARCHAR NOT NULL,
    effect VARCHAR NOT NULL,
    advice VARCHAR NOT NULL,
    voids BOOLEAN NOT NULL
);
COMMENT ON TABLE plausibility IS
    'What of a recording of events cannot be as it says, or says less than it seems to; mended before anything follows from it.';
COMMENT ON COLUMN plausibility.run IS 'Run [id]';
COMMENT ON COLUMN plausibility.what IS
    'untimed, overlaps, launches, graphs, left_out, capture, whole_graphs, first_launches, heavy_options, light_options, or dropped [text]';
COMMENT ON COLUMN plausibility.title IS 'What it is [text]';
COMMENT ON COLUMN plausibility.number IS 'How many were found [count]';
COMMENT ON COLUMN plausibility.whole IS 'Of how many [count]';
COMMENT ON COLUMN plausibility."time" IS 'How much time it concerns, where that is known [ns]';
COMMENT ON COLUMN plausibility.says IS 'What was found, as a sentence [text]';
COMMENT ON COLUMN plausibility.effect IS 'Which figures it concerns, and how [text]';
COMMENT ON COLUMN plausibility.advice IS 'What to do [text]';
COMMENT ON COLUMN plausibility.voids IS 'Whether so much is missing that nothing of the GPU can be told';

CREATE TABLE witness (
    run INTEGER NOT NULL,
    id INTEGER NOT NULL,
    kind VARCHAR NOT NULL,
    file VARCHAR NOT NULL,
    tool VARCHAR NOT NULL,
    version VARCHAR,
    device VARCHAR
);
COMMENT ON TABLE witness IS 'Files of other tools about the same run, each from an execution of its own.';
COMMENT ON COLUMN witness.run IS 'Run [id]';
COMMENT ON COLUMN witness.id IS 'Number of the file among those of the run [id]';
COMMENT ON COLUMN witness.kind IS 'What it holds: counters, collectives, sampled collectives, monitor, figures, throughput or memory [text]';
COMMENT ON COLUMN witness.file IS 'Name of the file [text]';
COMMENT ON COLUMN witness.tool IS 'The tool that wrote it [text]';
COMMENT ON COLUMN witness.version IS 'Its version, as the file says [text]';
COMMENT ON COLUMN witness.device IS 'What the driver calls the GPU, where the file names one [text]';

CREATE TABLE counted_kernel (
    run INTEGER NOT NULL,
    witness INTEGER NOT NULL,
    launch BIGINT NOT NULL,
    name VARCHAR NOT NULL,
    blocks BIGINT,
    threads BIGINT,
    device VARCHAR,
    compute_capability DOUBLE
);
COMMENT ON TABLE counted_kernel IS 'Launches of which a profiler of kernels counted something, in their order.';
COMMENT ON COLUMN counted_kernel.run IS 'Run [id]';
COMMENT ON COLUMN counted_kernel.witness IS 'File, id in table witness [id]';
COMMENT ON COLUMN counted_kernel.launch IS 'Number of the launch in the file, from 0 [id]';
COMMENT ON COLUMN counted_kernel.name IS 'Name of the kernel [text]';
COMMENT ON COLUMN counted_kernel.blocks IS 'Blocks of the grid [blocks]';
COMMENT ON COLUMN counted_kernel.threads IS 'Threads of a block [threads]';
COMMENT ON COLUMN counted_kernel.device IS 'GPU, as the tool numbers it [text]';
COMMENT ON COLUMN counted_kernel.compute_capability IS 'CUDA compute capability [1]';

CREATE TABLE kernel_counter (
    run INTEGER NOT NULL,
    witness INTEGER NOT NULL,
    launch BIGINT NOT NULL,
    metric VARCHAR NOT NULL,
    value DOUBLE NOT NULL
);
COMMENT ON TABLE kernel_counter IS
    'Counters of launches, by the names of Nsight Compute. Kernels are run again for each group of counters, at clocks that may '
    'be fixed: their times are no times of the program.';
COMMENT ON COLUMN kernel_counter.run IS 'Run [id]';
COMMENT ON COLUMN kernel_counter.witness IS 'File, id in table witness [id]';
COMMENT ON COLUMN kernel_counter.launch IS 'Launch, in table counted_kernel [id]';
COMMENT ON COLUMN kernel_counter.metric IS 'Name of the counter [text]';
COMMENT ON COLUMN kernel_counter.value IS 'Its value in base units: s, B, Hz, a ratio for percentages, else a number';

CREATE TABLE counter_rule (
    run INTEGER NOT NULL,
    witness INTEGER NOT NULL,
    launch BIGINT NOT NULL,
    rule VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    text VARCHAR NOT NULL,
    speedup DOUBLE
);
COMMENT ON TABLE counter_rule IS 'What the rules of Nsight Compute say of a launch: a second opinion.';
COMMENT ON COLUMN counter_rule.run IS 'Run [id]';
COMMENT ON COLUMN counter_rule.witness IS 'File, id in table witness [id]';
COMMENT ON COLUMN counter_rule.launch IS 'Launch, in table counted_kernel [id]';
COMMENT ON COLUMN counter_rule.rule IS 'Name of the rule [text]';
COMMENT ON COLUMN counter_rule.kind IS 'OPT for advice, INF for what is told, WRN for a warning [text]';
COMMENT ON COLUMN counter_rule.text IS 'What it says [text]';
COMMENT ON COLUMN counter_rule.speedup IS 'Its own estimate of what could be gained [ratio]';

CREATE TABLE collective_block (
    run INTEGER NOT NULL,
    witness INTEGER NOT NULL,
    block INTEGER NOT NULL,
    operation VARCHAR NOT NULL,
    ranks INTEGER,
    nodes INTEGER,
    device VARCHAR,
    average DOUBLE,
    problem VARCHAR
);
COMMENT ON TABLE collective_block IS 'Tests of a communication library, an operation each.';
COMMENT ON COLUMN collective_block.run IS 'Run [id]';
COMMENT ON COLUMN collective_block.witness IS 'File, id in table witness [id]';
COMMENT ON COLUMN collective_block.block IS 'Number of the test in its file, from 1 [id]';
COMMENT ON COLUMN collective_block.operation IS 'Operation, e.g. all_reduce [text]';
COMMENT ON COLUMN collective_block.ranks IS 'Ranks that took part [count]';
COMMENT ON COLUMN collective_block.nodes IS 'Hosts that they ran on [count]';
COMMENT ON COLUMN collective_block.device IS 'What the driver calls their GPUs [text]';
COMMENT ON COLUMN collective_block.average IS 'Mean bus bandwidth as the tool prints it, over all sizes: no peak [B/s]';
COMMENT ON COLUMN collective_block.problem IS 'Why a test failed, as the tool says [text]';

CREATE TABLE collective_row (
    run INTEGER NOT NULL,
    witness INTEGER NOT NULL,
    block INTEGER NOT NULL,
    bytes BIGINT NOT NULL,
    "type" VARCHAR NOT NULL,
    redop VARCHAR NOT NULL,
    in_place BOOLEAN NOT NULL,
    seconds DOUBLE NOT NULL,
    algorithm_bandwidth DOUBLE NOT NULL,
    bus_bandwidth DOUBLE NOT NULL,
    wrong BIGINT
);
COMMENT ON TABLE collective_row IS 'What a test of a communication library reached, by size.';
COMMENT ON COLUMN collective_row.run IS 'Run [id]';
COMMENT ON COLUMN collective_row.witness IS 'File, id in table witness [id]';
COMMENT ON COLUMN collective_row.block IS 'Test, in table collective_block [id]';
COMMENT ON COLUMN collective_row.bytes IS 'Size of the message [B]';
COMMENT ON COLUMN collective_row."type" IS 'Type of its elements [text]';
COMMENT ON COLUMN collective_row.redop IS 'Reduction, none where the operation has none [text]';
COMMENT ON COLUMN collective_row.in_place IS 'Whether output took the place of input';
COMMENT ON COLUMN collective_row.seconds IS 'Time of one operation [s]';
COMMENT ON COLUMN collective_row.algorithm_bandwidth IS 'Bytes over time [B/s]';
COMMENT ON COLUMN collective_row.bus_bandwidth IS 'The same times a factor of the operation, to compare it with the links [B/s]';
COMMENT ON COLUMN collective_row.wrong IS 'Wrong values; NULL where it was not checked [count]';

CREATE TABLE device_sample (
    run INTEGER NOT NULL,
    witness INTEGER NOT NULL,
    tick BIGINT NOT NULL,
    "time" BIGINT,
    device VARCHAR NOT NULL,
    measure VARCHAR NOT NULL,
    value DOUBLE NOT NULL
);
COMMENT ON TABLE device_sample IS 'What a monitor read from devices, one after the other.';
COMMENT ON COLUMN device_sample.run IS 'Run [id]';
COMMENT ON COLUMN device_sample.witness IS 'File, id in table witness [id]';
COMMENT ON COLUMN device_sample.tick IS 'Number of the reading of this device, from 0 [id]';
COMMENT ON COLUMN device_sample."time" IS 'Local time of the machine as if it were UTC; NULL where the file gives none [ns]';
COMMENT ON COLUMN device_sample.device IS 'Device, as the tool names it [text]';
COMMENT ON COLUMN device_sample.measure IS 'What was read, e.g. power [text]';
COMMENT ON COLUMN device_sample.value IS 'Its value in base units: W, B, Hz, degrees Celsius, a ratio for shares';

CREATE TABLE collective_sample (
    run INTEGER NOT NULL,
    witness INTEGER NOT NULL,
    rank INTEGER,
    operation VARCHAR NOT NULL,
    number BIGINT,
    ranks INTEGER,
    nodes INTEGER,
    bytes BIGINT NOT NULL,
    seconds DOUBLE NOT NULL,
    algorithm_bandwidth DOUBLE,
    bus_bandwidth DOUBLE
);
COMMENT ON TABLE collective_sample IS 'Collectives of the run that NCCL Inspector wrote down: the latest of each of its intervals, not all.';
COMMENT ON COLUMN collective_sample.run IS 'Run [id]';
COMMENT ON COLUMN collective_sample.witness IS 'File, id in table witness [id]';
COMMENT ON COLUMN collective_sample.rank IS 'Rank [id]';
COMMENT ON COLUMN collective_sample.operation IS 'Operation, e.g. all_reduce [text]';
COMMENT ON COLUMN collective_sample.number IS 'Number of the collective in its communicator [id]';
COMMENT ON COLUMN collective_sample.ranks IS 'Ranks of the communicator [count]';
COMMENT ON COLUMN collective_sample.nodes IS 'Hosts of the communicator [count]';
COMMENT ON COLUMN collective_sample.bytes IS 'Size of the message [B]';
COMMENT ON COLUMN collective_sample.seconds IS 'Time, with what the rank waited for others [s]';
COMMENT ON COLUMN collective_sample.algorithm_bandwidth IS 'Bytes over time [B/s]';
COMMENT ON COLUMN collective_sample.bus_bandwidth IS 'The same times a factor of the operation, to compare it with the links [B/s]';

CREATE TABLE told_figure (
    run INTEGER NOT NULL,
    witness INTEGER NOT NULL,
    name VARCHAR NOT NULL,
    value DOUBLE NOT NULL,
    unit VARCHAR NOT NULL
);
COMMENT ON TABLE told_figure IS 'What another tool or the program itself says of the run, in the words of figures.csv.';
COMMENT ON COLUMN told_figure.run IS 'Run [id]';
COMMENT ON COLUMN told_figure.witness IS 'File, id in table witness [id]';
COMMENT ON COLUMN told_figure.name IS 'Name of the figure [text]';
COMMENT ON COLUMN told_figure.value IS 'Its value in base units, as told';
COMMENT ON COLUMN told_figure.unit IS 'Its unit [text]';

CREATE TABLE told_doubt (
    run INTEGER NOT NULL,
    witness INTEGER NOT NULL,
    figure VARCHAR NOT NULL,
    said VARCHAR NOT NULL,
    held VARCHAR NOT NULL,
    "text" VARCHAR NOT NULL
);
COMMENT ON TABLE told_doubt IS 'Figures of such files that their own content contradicts.';
COMMENT ON COLUMN told_doubt.run IS 'Run [id]';
COMMENT ON COLUMN told_doubt.witness IS 'File, id in table witness [id]';
COMMENT ON COLUMN told_doubt.figure IS 'What is doubted [text]';
COMMENT ON COLUMN told_doubt.said IS 'What the file says, with its unit [text]';
COMMENT ON COLUMN told_doubt.held IS 'What its content gives instead [text]';
COMMENT ON COLUMN told_doubt."text" IS 'Why [text]';

CREATE TABLE throughput_row (
    run INTEGER NOT NULL,
    witness INTEGER NOT NULL,
    name VARCHAR,
    gpus INTEGER NOT NULL,
    rate DOUBLE NOT NULL,
    unit VARCHAR NOT NULL
);
COMMENT ON TABLE throughput_row IS 'Rates of several runs by their number of GPUs.';
COMMENT ON COLUMN throughput_row.run IS 'Run [id]';
COMMENT ON COLUMN throughput_row.witness IS 'File, id in table witness [id]';
COMMENT ON COLUMN throughput_row.name IS 'What tells series apart, e.g. a model [text]';
COMMENT ON COLUMN throughput_row.gpus IS 'GPUs [count]';
COMMENT ON COLUMN throughput_row.rate IS 'Rate of all GPUs [unit]';
COMMENT ON COLUMN throughput_row.unit IS 'tokens/s or samples/s [text]';

CREATE TABLE memory_segment (
    run INTEGER NOT NULL,
    witness INTEGER NOT NULL,
    device INTEGER NOT NULL,
    segment BIGINT NOT NULL,
    pool VARCHAR NOT NULL,
    stream BIGINT,
    bytes BIGINT NOT NULL
);
COMMENT ON TABLE memory_segment IS 'Memory that the framework''s allocator had reserved when its snapshot was taken.';
COMMENT ON COLUMN memory_segment.run IS 'Run [id]';
COMMENT ON COLUMN memory_segment.witness IS 'File, id in table witness [id]';
COMMENT ON COLUMN memory_segment.device IS 'Device, as the framework numbers it [id]';
COMMENT ON COLUMN memory_segment.segment IS 'Number of the segment in the file, from 0 [id]';
COMMENT ON COLUMN memory_segment.pool IS 'small, large or expandable [text]';
COMMENT ON COLUMN memory_segment.stream IS 'Stream [id]';
COMMENT ON COLUMN memory_segment.bytes IS 'Its size [B]';

CREATE TABLE memory_block (
    run INTEGER NOT NULL,
    witness INTEGER NOT NULL,
    device INTEGER NOT NULL,
    segment BIGINT NOT NULL,
    bytes BIGINT NOT NULL,
    requested BIGINT,
    state VARCHAR NOT NULL,
    site INTEGER
);
COMMENT ON TABLE memory_block IS 'Blocks of these segments.';
COMMENT ON COLUMN memory_block.run IS 'Run [id]';
COMMENT ON COLUMN memory_block.witness IS 'File, id in table witness [id]';
COMMENT ON COLUMN memory_block.device IS 'Device [id]';
COMMENT ON COLUMN memory_block.segment IS 'Segment [id]';
COMMENT ON COLUMN memory_block.bytes IS 'Its size [B]';
COMMENT ON COLUMN memory_block.requested IS 'What the program asked for [B]';
COMMENT ON COLUMN memory_block.state IS 'active_allocated, active_pending_free or inactive [text]';
COMMENT ON COLUMN memory_block.site IS 'Where it was allocated, in table allocation_site [id]';

CREATE TABLE allocation_site (
    run INTEGER NOT NULL,
    witness INTEGER NOT NULL,
    site INTEGER NOT NULL,
    "function" VARCHAR NOT NULL,
    file VARCHAR NOT NULL,
    line INTEGER NOT NULL
);
COMMENT ON TABLE allocation_site IS 'Lines of a program that allocate: the innermost frame that is not of a library.';
COMMENT ON COLUMN allocation_site.run IS 'Run [id]';
COMMENT ON COLUMN allocation_site.witness IS 'File, id in table witness [id]';
COMMENT ON COLUMN allocation_site.site IS 'Number in the file [id]';
COMMENT ON COLUMN allocation_site."function" IS 'Function [text]';
COMMENT ON COLUMN allocation_site.file IS 'File, as the interpreter names it [text]';
COMMENT ON COLUMN allocation_site.line IS 'Line; 0 where it is not known [id]';

CREATE TABLE allocation (
    run INTEGER NOT NULL,
    witness INTEGER NOT NULL,
    device INTEGER NOT NULL,
    begin_event BIGINT,
    end_event BIGINT,
    begin_time BIGINT,
    end_time BIGINT,
    bytes BIGINT NOT NULL,
    site INTEGER,
    origin VARCHAR,
    end_origin VARCHAR
);
COMMENT ON TABLE allocation IS 'Allocations that a memory snapshot lists, from the request to the release.';
COMMENT ON COLUMN allocation.run IS 'Run [id]';
COMMENT ON COLUMN allocation.witness IS 'File, id in table witness [id]';
COMMENT ON COLUMN allocation.device IS 'Device [id]';
COMMENT ON COLUMN allocation.begin_event IS 'Number of the event that allocated; NULL where it was before recording began [id]';
COMMENT ON COLUMN allocation.end_event IS 'Number of the event that released; NULL where it was still held [id]';
COMMENT ON COLUMN allocation.begin_time IS 'When it was allocated [ns]';
COMMENT ON COLUMN allocation.end_time IS 'When it was released [ns]';
COMMENT ON COLUMN allocation.bytes IS 'What the program asked for [B]';
COMMENT ON COLUMN allocation.site IS 'Where, in table allocation_site [id]';
COMMENT ON COLUMN allocation.origin IS
    'Code that asked, by its stack: optimizer, backward, module (makes or moves parameters), forward, or program for anything else; NULL '
    'without a stack, as on the threads that run backward [text]';
COMMENT ON COLUMN allocation.end_origin IS 'Code that released it, in the same words; NULL without a stack [text]';

CREATE TABLE reserved_change (
    run INTEGER NOT NULL,
    witness INTEGER NOT NULL,
    device INTEGER NOT NULL,
    event BIGINT NOT NULL,
    "time" BIGINT,
    bytes BIGINT NOT NULL
);
COMMENT ON TABLE reserved_change IS 'Segments that the allocator took from the device or gave back, as a memory snapshot lists them.';
COMMENT ON COLUMN reserved_change.run IS 'Run [id]';
COMMENT ON COLUMN reserved_change.witness IS 'File, id in table witness [id]';
COMMENT ON COLUMN reserved_change.device IS 'Device [id]';
COMMENT ON COLUMN reserved_change.event IS 'Number of the event [id]';
COMMENT ON COLUMN reserved_change."time" IS 'When [ns]';
COMMENT ON COLUMN reserved_change.bytes IS 'Bytes taken; negative where given back [B]';

CREATE TABLE out_of_memory (
    run INTEGER NOT NULL,
    witness INTEGER NOT NULL,
    device INTEGER NOT NULL,
    event BIGINT NOT NULL,
    "time" BIGINT,
    bytes BIGINT NOT NULL,
    free BIGINT,
    site INTEGER
);
COMMENT ON TABLE out_of_memory IS 'Requests that no memory was left for.';
COMMENT ON COLUMN out_of_memory.run IS 'Run [id]';
COMMENT ON COLUMN out_of_memory.witness IS 'File, id in table witness [id]';
COMMENT ON COLUMN out_of_memory.device IS 'Device [id]';
COMMENT ON COLUMN out_of_memory.event IS 'Number of the event [id]';
COMMENT ON COLUMN out_of_memory."time" IS 'When [ns]';
COMMENT ON COLUMN out_of_memory.bytes IS 'What was asked for [B]';
COMMENT ON COLUMN out_of_memory.free IS 'What was free on the device [B]';
COMMENT ON COLUMN out_of_memory.site IS 'Where, in table allocation_site [id]';

-- Derived from contexts when a run is stored (derive.sql): most metrics of functions join them.

-- Derived from the trace when a run is stored (derive.sql), so that no metric sorts it again.

