"""A class: exercises handed out and graded, each learner with a run of their own.

In:  exercises, and the documents of runs. Out: folders for learners and instructors, grades.

    assignments  which exercises ask about which runs, and where their runs come from
    variants     runs of an exercise, simulated again with other parameters
    handouts     exercises on a run: `public/` for learners, `instructor/` with the keys
    class_sets   a folder per learner, the roster, all keys in one file
    dry_run      an exercise tried on many variants, before a class gets them
    grading      answers of a class to grades, a page per learner, a page of the class
"""
