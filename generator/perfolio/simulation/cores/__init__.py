"""Simulated CPU programs: threads of processes that share cores, sampled by elapsed time.

In:  a program (dataclasses). Out: an HPCToolkit database, and how long each thread worked, waited
and was late.

    cpu_program    what is simulated: machine, processes, threads and their steps
    scheduler      the model: when each thread has a core, in turns
    cpu_database   what a timer of elapsed time sees of it, and what is true: program to a folder

No SQL and no reader: truth must not be computed by what is tested against it.
"""
