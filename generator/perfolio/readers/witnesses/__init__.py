"""Witnesses: files of other tools that lie beside a profile and tell more of the same run.

In:  a profile's path, and the files that profile.toml names.
Out: a `model.Witness` for each file that is known: tables with the columns of
     `generator/perfolio/store/schema.sql` less `run`, and what had to be tolerated.

    ncu_csv     Nsight Compute's CSV: counters of each launch, its own rules
    nccl_tests  logs of nccl-tests and rccl-tests: bandwidth by operation and size
    dcgmi_dmon  `dcgmi dmon`: units, memory and links of each GPU, row by row
    nvidia_smi  `nvidia-smi --query-gpu ... --format=csv`: use, memory, power, clocks over time
    zeus_log    Zeus' monitor: energy of windows of the program
    discovery   which files belong to a profile; alone, they are a run of their own

To add one: a module with `KIND`, `recognises(head)` and `read(text)`, one line in
`discovery.KINDS`, its tests. What a file says is kept in base units, and under the words of
`measures.csv`.
"""
