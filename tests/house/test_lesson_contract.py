"""Every lesson keeps the contract; and each of its rules finds what it is there for."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from hopperlab.cli.notebooks import canonical
from hopperlab.course.exercises import Exercise, solution_failures
from hopperlab.course.guesses import Number
from hopperlab.course.lesson import Lesson
from hopperlab.course.misconceptions import Misconception
from hopperlab.course.predictions import Prediction
from tests.house.lesson_contract import (
    EXCEPTIONS,
    FOLDER,
    NAME,
    RULES,
    LessonNotebook,
    lesson_notebooks,
    problems,
)
from tests.house.notebook_rules import Stored


@cache
def broken_rules() -> list[tuple[str, str, str]]:
    """The notebook, the rule and the problem of all that the lessons lack."""
    books = lesson_notebooks()
    assert books, "there is no lesson to look at"
    return [(book.stored.name, rule, problem) for book in books for rule, problem in problems(book)]


def test_every_lesson_keeps_the_contract() -> None:
    broken = [
        f"{name}: {rule}: {problem}"
        for name, rule, problem in broken_rules()
        if (name, rule) not in EXCEPTIONS
    ]
    assert broken == []


@pytest.mark.exhaustive
def test_every_solution_passes_its_check_over_many_draws() -> None:
    exercises = {
        (book.stored.name, name): exercise
        for book in lesson_notebooks()
        for name, exercise in book.lesson.exercises.items()
    }
    assert {key: failed for key, each in exercises.items() if (failed := solution_failures(each))} == {}


def test_every_exception_is_still_needed() -> None:
    assert set(EXCEPTIONS) <= {(name, rule) for name, rule, _ in broken_rules()}
    assert all(EXCEPTIONS.values())


def test_numbers_of_notebooks_are_used_once() -> None:
    numbers = [NAME.fullmatch(path.name)["number"] for path in FOLDER.glob("[0-9]*.ipynb")]
    assert len(numbers) == len(set(numbers))


def clusters_at_once(sms, size):
    """Clusters of a size that a GPC of so many SMs runs at once."""
    # your part: count the whole clusters
    return sms // size
    # end of your part


def pooled(sms, size):
    return round(sms / size)


ROUNDS_UP = Misconception("half a cluster counts", pooled, "A cluster is placed whole or not at all.")


def lesson(misconceptions: tuple[Misconception, ...] = (ROUNDS_UP,)) -> Lesson:
    prediction = Prediction(
        "largest",
        "How many clusters of 16 run at once?",
        Number(),
        answer=lambda: 8,
        because="Each of the eight whole GPCs runs one.",
        misconceptions=[Misconception("SMs divided by size", 9, "A cluster may not span two GPCs.")],
    )
    exercise = Exercise(
        "rule",
        "Write the rule.",
        clusters_at_once,
        inputs=lambda draw: (draw.integer(1, 18), draw.integer(1, 16)),
        hints=["Divide.", "Round.", "Round down."],
        misconceptions=misconceptions,
    )
    return Lesson("made", predictions=[prediction], exercises=[exercise])


TWIN = "[panel] Clusters of 16 on a card | Cluster size=16\nEight GPCs run one cluster each; two SMs a GPC stand idle."
SVG = {"image/svg+xml": "<svg></svg>", "text/plain": TWIN}
OPENING = """# 06 Clusters, made up

**Question.** How many clusters run at once, and why not SMs divided by size?

**Minutes.** 45

**Objectives.** Afterwards you can

- compute how many clusters of a size run at once;
- place clusters on a map of GPCs,
  two blocks an SM included.

[Back](05_made.ipynb) \u00b7 [on](07_made.ipynb)"""


@dataclass
class Draft:
    """A lesson's cells by their names, in order, to be spoilt one by one."""

    cells: dict[str, str] = field(
        default_factory=lambda: {
            "opening": OPENING,
            "import": "from hopperlab.lessons.made import lesson",
            "predict heading": "## Predict\n\nCommit a guess before anything runs.",
            "predict": 'lesson.predict("largest")',
            "play heading": "## Play",
            "panel": 'lesson.panel("board")',
            "reveal": 'lesson.reveal("largest")',
            "explain heading": "## Explain\n\nThe chip has 132 SMs [chip-001].\n\n- A GPC has 18 SMs [chip-002].",
            "figure": "picture",
            "program heading": "## Program",
            "program": "print(run())",
            "break heading": "## Break it",
            "specimen": "print(stranded())",
            "silicon heading": "## Silicon\n\nQuoted, modelled and measured: a launch takes 5 \u00b5s, measured.",
            "silicon": "print(rows)",
            "exercise heading": "## Exercise",
            "exercise": 'lesson.exercise("rule")',
            "skeleton": lesson().skeleton("rule"),
            "check": 'lesson.check("rule", clusters_at_once)',
            "end": "## Take away\n\nA cluster lives in one GPC.\n\n**Sources.** chip-001, chip-002.",
        }
    )
    outputs: dict[str, dict] = field(
        default_factory=lambda: {
            "panel": {"text/plain": TWIN},
            "figure": SVG,
            "program": {"text/plain": "8"},
            "specimen": {"text/plain": "stranded: 2"},
        }
    )
    lesson: Lesson = field(default_factory=lesson)

    def book(self) -> LessonNotebook:
        cells = []
        for name, source in self.cells.items():
            identity = re.sub(r"\W", "-", name)
            if re.match(r"#|\[", source):
                cells.append(new_markdown_cell(source, id=identity))
                continue
            outputs = [new_output("display_data", self.outputs[name])] if name in self.outputs else []
            cells.append(new_code_cell(source, outputs=outputs, id=identity))
        stored = Stored("06_made.ipynb", canonical(new_notebook(cells=cells)))
        others = ["05_made.ipynb", "06_made.ipynb", "07_made.ipynb", "reference_words.ipynb"]
        return LessonNotebook(stored, others, self.lesson, {"chip-001", "chip-002"})

    def without(self, name: str) -> None:
        del self.cells[name]

    def swap(self, first: str, second: str) -> None:
        order = list(self.cells)
        i, j = order.index(first), order.index(second)
        order[i], order[j] = order[j], order[i]
        self.cells = {name: self.cells[name] for name in order}

    def replace(self, name: str, old: str, new: str) -> None:
        assert old in self.cells[name]
        self.cells[name] = self.cells[name].replace(old, new)


def test_a_good_lesson_is_let_through() -> None:
    assert problems(Draft().book()) == []


DEFECTS: dict[str, dict[str, Callable[[Draft], None]]] = {
    "is_plain_python": {"a magic": lambda draft: draft.replace("program", "print", "%time print")},
    "opening": {
        "another number": lambda draft: draft.replace("opening", "# 06", "# 6"),
        "no question": lambda draft: draft.replace("opening", "divided by size?", "divided by size."),
        "no minutes": lambda draft: draft.replace("opening", "45", "an hour"),
        "too long": lambda draft: draft.replace("opening", "45", "450"),
        "one objective": lambda draft: draft.replace("opening", "- place", "and place"),
        "a vague objective": lambda draft: draft.replace("opening", "- compute", "- understand"),
    },
    "sections_in_order": {
        "one missing": lambda draft: draft.without("break heading"),
        "two swapped": lambda draft: draft.swap("program heading", "break heading"),
        "one more": lambda draft: draft.replace("explain heading", "## Explain", "## Theory\n\n## Explain"),
    },
    "prediction_before_panel": {
        "no prediction": lambda draft: draft.without("predict"),
        "no panel": lambda draft: draft.without("panel"),
        "the panel first": lambda draft: draft.swap("predict", "panel"),
        "never revealed": lambda draft: draft.without("reveal"),
        "revealed before": lambda draft: draft.swap("reveal", "import"),
        "another prediction": lambda draft: draft.replace("predict", "largest", "smallest"),
    },
    "panels_have_twins": {
        "no output": lambda draft: draft.outputs.pop("panel"),
        "no words": lambda draft: draft.outputs.update(
            panel={"text/plain": "VBox(children=(IntSlider(value=8),))"}
        ),
        "few words": lambda draft: draft.outputs.update(panel={"text/plain": "[panel] board"}),
    },
    "explains_with_a_figure": {
        "no figure": lambda draft: draft.outputs.pop("figure"),
        "no twin": lambda draft: draft.outputs.update(
            figure={"image/svg+xml": "<svg></svg>", "text/plain": "SVG"}
        ),
    },
    "program_and_specimen_run": {
        "no program": lambda draft: draft.outputs.pop("program"),
        "no specimen": lambda draft: draft.outputs.pop("specimen"),
    },
    "silicon_sets_side_by_side": {
        "nothing quoted": lambda draft: draft.replace("silicon heading", "Quoted, modelled", "Modelled"),
    },
    "numbers_have_sources": {
        "no source": lambda draft: draft.replace("explain heading", " [chip-001]", "."),
        "a source for another paragraph": lambda draft: draft.replace(
            "explain heading", "## Explain", "## Explain\n\n3 TB/s"
        ),
        "an unknown source": lambda draft: draft.replace("explain heading", "chip-001", "chip-999"),
        "no list of sources": lambda draft: draft.replace("end", "**Sources.** chip-001, chip-002.", ""),
    },
    "exercise_is_the_generated_one": {
        "no exercise": lambda draft: draft.without("exercise"),
        "another skeleton": lambda draft: draft.replace("skeleton", "sms, size", "size, sms"),
        "no check": lambda draft: draft.without("check"),
        "checked first": lambda draft: draft.swap("check", "exercise"),
        "the solution shown": lambda draft: draft.replace(
            "skeleton", 'raise NotImplementedError("write this part")', "return sms // size"
        ),
        "no lesson": lambda draft: setattr(draft, "lesson", None),
    },
    "checks_reject_misconceptions": {
        "no misconception": lambda draft: setattr(draft, "lesson", lesson(())),
        "a mutant that passes": lambda draft: setattr(
            draft,
            "lesson",
            lesson((ROUNDS_UP, Misconception("right", lambda sms, size: sms // size, "It is right."))),
        ),
    },
    "links_lead_on_and_back": {
        "no way on": lambda draft: draft.replace("opening", "[on](07_made.ipynb)", ""),
        "no way back": lambda draft: draft.replace("opening", "[Back](05_made.ipynb)", ""),
        "a dead link": lambda draft: draft.replace("end", "one GPC", "one [GPC](02_gone.ipynb)"),
    },
}


@pytest.mark.parametrize(
    ("rule", "defect"), [(rule, defect) for rule, defects in DEFECTS.items() for defect in defects]
)
def test_a_defect_is_found(rule: str, defect: str) -> None:
    draft = Draft()
    DEFECTS[rule][defect](draft)
    assert rule in {name for name, _ in problems(draft.book())}


def test_every_rule_has_a_defect_that_it_finds() -> None:
    assert {rule.__name__ for rule in RULES} == set(DEFECTS)


@pytest.mark.parametrize(
    "sentence",
    [
        "3.35 TB/s",
        "1,755 MHz",
        "132 SMs",
        "7x faster",
        "about 200 cycles",
        "700 W",
        "227 KiB",
        "12 \u00b5s",
        "93 %",
        "128 B/clk",
        "1979 TFLOP/s",
    ],
)
def test_a_quantity_wants_a_source(sentence: str) -> None:
    draft = Draft()
    draft.cells["play heading"] = f"## Play\n\nIt has {sentence}."
    assert "numbers_have_sources" in {name for name, _ in problems(draft.book())}


@pytest.mark.parametrize(
    "sentence",
    [
        "clusters of 16 blocks",
        "the first 3 of them",
        "CUDA 13",
        "sm_90a",
        "64 warps of 32 threads",
        "E4M3",
        "2 by 4",
    ],
)
def test_what_is_no_quantity_wants_none(sentence: str) -> None:
    draft = Draft()
    draft.cells["play heading"] = f"## Play\n\nIt has {sentence}."
    assert problems(draft.book()) == []


def test_a_lesson_is_found_through_its_imports() -> None:
    source = "from hopperlab.course import clusters"
    notebook = new_notebook(cells=[new_code_cell(source, id="import")])
    book = LessonNotebook(Stored("06_clusters.ipynb", canonical(notebook)), [])
    assert book.lesson is not None
    assert book.lesson.theme == "clusters"
