"""Exercises: questions about a run whose answers are computed from that run.

In:  an exercise (`exercises/<slug>/exercise.md`), the content of metrics.json and findings.json of
     a run, and `say`, which fills an author's text in: pages know templates, this folder does not.
Out: a `Sheet`. Of each item it holds what the sheet shows and, apart from it, what only the key
     holds: both plain JSON. Then keys (`key_documents.make_key_document`) and grades
     (`grader.grade_sheet`).

    exercises = load_exercises(project)   # catalog: by slug, behind their prerequisites
    run = Run(metrics, findings)          # run_view: names to values, texts, columns
    sheet = make_sheet(exercise, run, say, runs=..., variant="")   # answer_sheet
    load_item_type(item.type).html(question.keyed.shown)           # items
    key = make_key_document(sheet)        # key_documents: perfolio-key/1
    graded = grade_sheet(key, answers)    # grader: perfolio-answers/1 to points and codes

Rules: no answer is typed by an author, each is an expression over the run; what is not measured is
no question, but a gap with its reason; what a page prints is graded as right.

How a number becomes a key: `number_items` reads the item, `answer_values` computes the value,
`tolerance` says which numbers are right, `distractors` adds what known mistakes give, `number_keys`
makes the JSON and grades it, `number_parser` reads what people type. `option_items` does the same
for ticks, `row_choice` for rows of a table, `cell_items` for several numbers in one item.

`study_view` makes a `Run` of a study, so that its exercises, in `studies/`, are made alike.

To add an exercise: one exercise.md here, or in `exercises/` of a project; then
`perfolio worksheet check SLUG`. To add a type of item: one module in `items/`, see there.
Grading is a pure function of JSON. The browser does the same, in `site/theme/assets/perfolio/
grading.js`: `tests/exercises/grading.yaml` is the table of cases for both. `platform_items` is an
item as learning platforms know it, and `export` writes it.
"""
