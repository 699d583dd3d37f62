"""Changed databases in bulk: `python -m tests.fuzz --minutes 30 --seed 1 --jobs 2`.

    seeds   databases to change: made ones, real ones where they lie beside the checkout, and cases
            that showed something new, kept for the next run
    mutate  changes at random, and of numbers that the format names
    cases   one case: what became of it, by the reader and in a store
    run     many cases in processes of their own, each within limits of time and memory

Inputs of all other formats have a program of their own, `python -m tests.fuzz.readers`:

    inputs   small inputs of each format, and changes by what each is made of
    readers  cases, in processes that may die, within limits, counted by format

A case is told by seed and number alone, so that each can be had again:
`python -m tests.fuzz --seed 1 --only 12345`.
"""
