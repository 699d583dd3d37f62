-- The tables of a lake. Each has the column `run`, and as files the month in which the run was recorded.
-- Times of `part`, `gpu` and `kernel` are sums over the window of the run and over all of its GPUs: divide them by
-- `run.iterations * run.lanes` for those of one iteration on one GPU.

CREATE TABLE run (
    run VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    title VARCHAR NOT NULL,
    workload VARCHAR NOT NULL,
    tool VARCHAR NOT NULL,
    recorded TIMESTAMP,
    hardware VARCHAR,
    gpus INTEGER,
    ranks INTEGER,
    hosts VARCHAR[] NOT NULL,
    owner VARCHAR,
    team VARCHAR,
    driver VARCHAR,
    framework VARCHAR,
    "precision" VARCHAR,
    batch_size VARCHAR,
    basis VARCHAR,
    lanes INTEGER,
    iterations INTEGER,
    iteration_ns BIGINT,
    window_ns BIGINT,
    wall_ns BIGINT,
    gpu_hours DOUBLE,
    price DOUBLE,
    currency VARCHAR,
    verdict VARCHAR NOT NULL,
    perfolio VARCHAR NOT NULL
);
COMMENT ON TABLE run IS 'One row per run.';
COMMENT ON COLUMN run.run IS 'Hash of the files of the run, and its place among the runs of one file [id]';
COMMENT ON COLUMN run.name IS 'Short name of the run [text]';
COMMENT ON COLUMN run.title IS 'Title of its report [text]';
COMMENT ON COLUMN run.workload IS
    'What is compared with each other: workload.name of profile.toml, else workload.model, else the title [text]';
COMMENT ON COLUMN run.tool IS 'The tool that made the profile [text]';
COMMENT ON COLUMN run.recorded IS 'When the recording began, in UTC; NULL where its times are no dates';
COMMENT ON COLUMN run.hardware IS 'What the profile calls the GPU [text]';
COMMENT ON COLUMN run.gpus IS 'GPUs of the recording [count]';
COMMENT ON COLUMN run.ranks IS 'Ranks of the recording [count]';
COMMENT ON COLUMN run.hosts IS 'Machines on which it ran; empty where nothing names them [text]';
COMMENT ON COLUMN run.owner IS 'Who ran it: workload.owner of profile.toml [text]';
COMMENT ON COLUMN run.team IS 'Whose it is: workload.team of profile.toml [text]';
COMMENT ON COLUMN run.driver IS 'Version of the GPU driver [text]';
COMMENT ON COLUMN run.framework IS 'Framework, with its version [text]';
COMMENT ON COLUMN run."precision" IS 'Precision of the computation [text]';
COMMENT ON COLUMN run.batch_size IS 'Batch size [text]';
COMMENT ON COLUMN run.basis IS 'What the window is: iteration (steady ones), or wall (the whole run) [text]';
COMMENT ON COLUMN run.lanes IS 'GPUs, or main threads, whose time is divided: each has the whole window [count]';
COMMENT ON COLUMN run.iterations IS 'Iterations of the window; 1 where it is the whole run [count]';
COMMENT ON COLUMN run.iteration_ns IS 'Median duration of these iterations; NULL without iterations [ns]';
COMMENT ON COLUMN run.window_ns IS 'Length of the window on one GPU [ns]';
COMMENT ON COLUMN run.wall_ns IS 'From the first moment of the recording to the last [ns]';
COMMENT ON COLUMN run.gpu_hours IS
    'GPU-hours of the job: workload.gpu_hours of profile.toml, else GPUs of the recording times its length; NULL without a GPU [h]';
COMMENT ON COLUMN run.price IS 'Price of one GPU-hour: price.gpu_hour of profile.toml [1]';
COMMENT ON COLUMN run.currency IS 'Currency of the price [text]';
COMMENT ON COLUMN run.verdict IS 'First sentence of its report [text]';
COMMENT ON COLUMN run.perfolio IS 'Version that read it [text]';

CREATE TABLE part (
    run VARCHAR NOT NULL,
    part VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    ns BIGINT NOT NULL,
    calls BIGINT NOT NULL
);
COMMENT ON TABLE part IS 'The time of a run, divided: rows of a run sum to window_ns * lanes.';
COMMENT ON COLUMN part.run IS 'Run [id]';
COMMENT ON COLUMN part.part IS 'kernel, collective, collective wait, copy, idle or main thread [text]';
COMMENT ON COLUMN part.kind IS 'Class of kernels, direction of copies, or what the host does while the GPU idles [text]';
COMMENT ON COLUMN part.ns IS 'Time in the window, over all GPUs [ns]';
COMMENT ON COLUMN part.calls IS 'Operations that begin in the window; 0 where they are not counted [count]';

CREATE TABLE gpu (
    run VARCHAR NOT NULL,
    rank INTEGER NOT NULL,
    host VARCHAR,
    kernel_ns BIGINT NOT NULL,
    collective_ns BIGINT NOT NULL,
    wait_ns BIGINT NOT NULL,
    copy_ns BIGINT NOT NULL,
    idle_ns BIGINT NOT NULL
);
COMMENT ON TABLE gpu IS 'The time of the GPUs of each rank, divided, in the window of the run.';
COMMENT ON COLUMN gpu.run IS 'Run [id]';
COMMENT ON COLUMN gpu.rank IS 'Rank [id]';
COMMENT ON COLUMN gpu.host IS 'Machine of the rank; NULL where nothing names it [text]';
COMMENT ON COLUMN gpu.kernel_ns IS 'Kernels that compute [ns]';
COMMENT ON COLUMN gpu.collective_ns IS 'Collectives that move data [ns]';
COMMENT ON COLUMN gpu.wait_ns IS 'Collectives that wait for their last rank [ns]';
COMMENT ON COLUMN gpu.copy_ns IS 'Copies beside which no kernel runs [ns]';
COMMENT ON COLUMN gpu.idle_ns IS 'Nothing runs [ns]';

CREATE TABLE kernel (
    run VARCHAR NOT NULL,
    kernel VARCHAR NOT NULL,
    class VARCHAR NOT NULL,
    ns BIGINT NOT NULL,
    calls BIGINT NOT NULL
);
COMMENT ON TABLE kernel IS 'Kernels and collectives of a run by what people call them, in its window.';
COMMENT ON COLUMN kernel.run IS 'Run [id]';
COMMENT ON COLUMN kernel.kernel IS 'Short name; (others) for small ones together [text]';
COMMENT ON COLUMN kernel.class IS 'Class of the kernel [text]';
COMMENT ON COLUMN kernel.ns IS 'Time over all GPUs; kernels that run at the same moment share it [ns]';
COMMENT ON COLUMN kernel.calls IS 'Launches [count]';

CREATE TABLE iteration (
    run VARCHAR NOT NULL,
    number INTEGER NOT NULL,
    ns BIGINT NOT NULL
);
COMMENT ON TABLE iteration IS 'Steady iterations of a run, at most 1,000.';
COMMENT ON COLUMN iteration.run IS 'Run [id]';
COMMENT ON COLUMN iteration.number IS 'Place among the steady iterations, from 0 [id]';
COMMENT ON COLUMN iteration.ns IS 'Duration [ns]';

CREATE TABLE finding (
    run VARCHAR NOT NULL,
    code VARCHAR NOT NULL,
    title VARCHAR NOT NULL,
    severity VARCHAR NOT NULL,
    cause VARCHAR NOT NULL,
    bound DOUBLE,
    denominator VARCHAR NOT NULL,
    whole VARCHAR NOT NULL,
    "value" DOUBLE,
    unit VARCHAR NOT NULL
);
COMMENT ON TABLE finding IS 'Findings that fired in the report of a run.';
COMMENT ON COLUMN finding.run IS 'Run [id]';
COMMENT ON COLUMN finding.code IS 'Code of the rule [id]';
COMMENT ON COLUMN finding.title IS 'What it is [text]';
COMMENT ON COLUMN finding.severity IS 'critical, high, medium, low or info [text]';
COMMENT ON COLUMN finding.cause IS 'Node of the tree of causes [text]';
COMMENT ON COLUMN finding.bound IS 'What removing it saves at most, as a part of the denominator; bounds do not add up [ratio]';
COMMENT ON COLUMN finding.denominator IS 'What the bound is a part of, in words [text]';
COMMENT ON COLUMN finding.whole IS 'Kind of denominator: wall, iteration, ...; empty without a bound [text]';
COMMENT ON COLUMN finding."value" IS 'Value of its metric';
COMMENT ON COLUMN finding.unit IS 'Unit of the value [text]';

CREATE TABLE counted (
    run VARCHAR NOT NULL,
    figure VARCHAR NOT NULL,
    per VARCHAR NOT NULL,
    "value" BIGINT NOT NULL
);
COMMENT ON TABLE counted IS 'Exact counts of a run: launches, bytes, synchronisations.';
COMMENT ON COLUMN counted.run IS 'Run [id]';
COMMENT ON COLUMN counted.figure IS 'What is counted [text]';
COMMENT ON COLUMN counted.per IS 'iteration or run [text]';
COMMENT ON COLUMN counted."value" IS 'Count, or bytes [count]';

CREATE TABLE document (
    run VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    content VARCHAR NOT NULL
);
COMMENT ON TABLE document IS 'Documents of a run: findings.json, which holds its metrics, and the run record.';
COMMENT ON COLUMN document.run IS 'Run [id]';
COMMENT ON COLUMN document.name IS 'findings or record [id]';
COMMENT ON COLUMN document.content IS 'The document [text]';
