"""The lesson contract: what every lesson notebook, 01 to 21, gives its reader.

Each rule is a function of a `LessonNotebook` that yields what is missing, in words. The rules read the stored
notebook, and the lesson's own parts where these must agree with it.
"""

import ast
import importlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby, pairwise
from pathlib import Path

from nbformat import NotebookNode

from hopperlab.course.exercises import solution_failures, unexplained_mutants, unrejected_mutants
from hopperlab.course.lesson import Lesson
from hopperlab.ledger import claims
from tests.house.notebook_rules import FOLDER, Stored

NAME = re.compile(r"(?P<number>\d\d)_\w+\.ipynb")
LESSONS = range(1, 22)
SECTIONS = ("Predict", "Play", "Explain", "Program", "Break it", "Silicon", "Exercise", "Take away")
OPENING = ""  # all that stands before the first section

# Verbs that no test could check.
VAGUE = {"understand", "know", "learn", "appreciate", "realize", "grasp", "see", "be", "become", "get"}
FEWEST_OBJECTIVES = 2
MOST_MINUTES = 90

CLAIM = re.compile(r"\b(?:article|chip|conf|derived|lit|mig|recalled|talk)-\d+(?:\.[a-z]+)?\b")
QUANTITY = re.compile(
    r"(?<![\w.-])\d[\d.,\u2009\u202f ]*\s?(?:"
    r"[kKMGTP]i?B(?:/s|/clk)?|B/clk|[GT]b/s|[kMG]Hz|[TGPE]FLOP(?:/s|S)?|FLOP/\w+|cycles?|ns|us|\u00b5s|ms"
    r"|W|%|nm|mm2|x|\u00d7|times|SMs|GPCs"
    r")(?![\w/])"
)
EVIDENCE = re.compile(r"\b(?:quoted|modelled|measured)\b", re.IGNORECASE)
LINK = re.compile(r"\]\((?P<target>[^)#\s]+)(?:#[^)\s]*)?\)")
FIGURES = {"application/vnd.plotly.v1+json", "image/svg+xml"}
FEWEST_WORDS = 10  # of a twin


@dataclass(frozen=True)
class Call:
    """One call of a lesson's part in a notebook: ``lesson.predict("largest")`` in cell 3."""

    cell: int
    verb: str
    name: str


@dataclass
class LessonNotebook:
    """A stored notebook, read as a lesson.

    Attributes
    ----------
    stored
        The notebook.
    others
        The names of all notebooks beside it, itself included.
    lesson
        The lesson whose parts it calls; found through its imports where it is not given.
    """

    stored: Stored
    others: list[str]
    lesson: Lesson | None = None
    known_claims: set[str] = field(default_factory=lambda: {claim.id for claim in claims()})

    def __post_init__(self) -> None:
        """Find the lesson."""
        if self.lesson is None:
            self.lesson = next(self._imported_lessons(), None)

    @property
    def cells(self) -> list[NotebookNode]:
        """All its cells."""
        return self.stored.notebook.cells

    @cached_property
    def sections(self) -> dict[str, list[int]]:
        """The cells of each section, in order; a section begins with a cell that begins with its heading."""
        found: dict[str, list[int]] = {OPENING: []}
        heading = OPENING
        for index, cell in enumerate(self.cells):
            if cell.cell_type == "markdown" and cell.source.startswith("## "):
                heading = cell.source.partition("\n")[0].removeprefix("## ").strip()
                found.setdefault(heading, [])
            found[heading].append(index)
        return found

    def prose(self, section: str) -> str:
        """The markdown of a section."""
        return "\n\n".join(cell.source for cell in self._in(section) if cell.cell_type == "markdown")

    def code(self, section: str) -> list[NotebookNode]:
        """The code cells of a section."""
        return [cell for cell in self._in(section) if cell.cell_type == "code"]

    def _in(self, section: str) -> list[NotebookNode]:
        return [self.cells[index] for index in self.sections.get(section, [])]

    @cached_property
    def calls(self) -> list[Call]:
        """Every call of a method with a name as its first argument, in order."""
        found = []
        for index, cell in enumerate(self.cells):
            if cell.cell_type != "code":
                continue
            for node in ast.walk(_tree(cell)):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
                    first = node.args[0]
                    if isinstance(first, ast.Constant) and isinstance(first.value, str):
                        found.append(Call(index, node.func.attr, first.value))
        return found

    def called(self, verb: str, section: str | None = None) -> list[Call]:
        """The calls of one verb, in one section or in all."""
        inside = range(len(self.cells)) if section is None else self.sections.get(section, [])
        return [call for call in self.calls if call.verb == verb and call.cell in inside]

    def _imported_lessons(self) -> Iterator[Lesson]:
        for cell in self.stored.code:
            for node in ast.walk(_tree(cell)):
                base = node.module or "" if isinstance(node, ast.ImportFrom) else ""
                names = (
                    [alias.name for alias in node.names]
                    if isinstance(node, ast.Import | ast.ImportFrom)
                    else []
                )
                for name in [base, *(f"{base}.{name}".strip(".") for name in names)]:
                    if re.match(r"hopperlab\.(?:lessons|course)\.\w+$", name) and importlib.util.find_spec(
                        name
                    ):
                        yield from (
                            x for x in vars(importlib.import_module(name)).values() if isinstance(x, Lesson)
                        )


def _tree(cell: NotebookNode) -> ast.Module:
    try:
        return ast.parse(cell.source)
    except SyntaxError:  # told by the rule is_plain_python
        return ast.Module([], [])


def is_plain_python(book: LessonNotebook) -> Iterator[str]:
    """Its cells are Python as it is read anywhere: no magics, no shell."""
    for index, cell in enumerate(book.cells):
        if cell.cell_type == "code" and cell.source.strip() and not _tree(cell).body:
            yield f"cell {index} is not plain Python"


def opening(book: LessonNotebook) -> Iterator[str]:
    """Its first cell says what is asked, how long it takes and what one can do afterwards."""
    text = book.prose(OPENING)
    number = NAME.fullmatch(book.stored.name)["number"]
    if not re.match(rf"# {number} \w", text):
        yield f"it does not begin with '# {number} Title'"
    if not re.search(r"^\*\*Question\.\*\* .+\?", text, re.MULTILINE):
        yield "it has no line '**Question.** ...?'"
    minutes = re.search(r"^\*\*Minutes\.\*\* (\d+)", text, re.MULTILINE)
    if not minutes or not 0 < int(minutes[1]) <= MOST_MINUTES:
        yield f"it has no line '**Minutes.** n' with n up to {MOST_MINUTES}"
    yield from _objectives(text)


def _objectives(text: str) -> Iterator[str]:
    listed = re.search(r"^\*\*Objectives\.\*\*.*\n\s*((?:[-*] .+(?:\n  .*)*\n?)+)", text, re.MULTILINE)
    items = re.findall(r"^[-*] (.+)", listed[1], re.MULTILINE) if listed else []
    if len(items) < FEWEST_OBJECTIVES:
        yield f"it has {len(items)} objectives in a list under '**Objectives.**'; give {FEWEST_OBJECTIVES} or more"
    for item in items:
        if item.split()[0].strip("*_,.").lower() in VAGUE:
            yield f"the objective {item!r} begins with a verb that no test could check"


def sections_in_order(book: LessonNotebook) -> Iterator[str]:
    """Its sections are those of every lesson, in their order."""
    headings = [heading for heading in book.sections if heading != OPENING]
    if headings != list(SECTIONS):
        yield f"its sections are {headings}, not {list(SECTIONS)}"


def prediction_before_panel(book: LessonNotebook) -> Iterator[str]:
    """A guess is asked for before a panel, or an answer, could give it away."""
    predicted = book.called("predict", "Predict")
    panels = book.called("panel")
    if not predicted:
        yield "Predict asks for no prediction"
    if not book.called("panel", "Play"):
        yield "Play has no panel"
    if predicted and panels and panels[0].cell < predicted[0].cell:
        yield f"the panel {panels[0].name!r} comes before the first prediction"
    for call in book.called("predict"):
        revealed = [other.cell for other in book.called("reveal") if other.name == call.name]
        if not revealed:
            yield f"the prediction {call.name!r} is never revealed"
        elif min(revealed) <= call.cell:
            yield f"the prediction {call.name!r} is revealed before it is asked"
    for asked in set(book.lesson.predictions if book.lesson else ()) - {
        call.name for call in book.called("predict")
    }:
        yield f"the prediction {asked!r} of the lesson is not asked"


def panels_have_twins(book: LessonNotebook) -> Iterator[str]:
    """Every panel is stored with its twin in words."""
    for index, calls in groupby(book.called("panel"), key=lambda call: call.cell):
        twins = [_plain(output) for output in book.cells[index].outputs]
        told = [
            words for words in twins if words.startswith("[panel]") and len(words.split()) >= FEWEST_WORDS
        ]
        names = [call.name for call in calls]
        if len(told) < len(names):
            yield f"of the panels {', '.join(names)}, {len(told)} are stored with their twin in words"


def _plain(output: NotebookNode) -> str:
    return output.get("data", {}).get("text/plain", "")


def explains_with_a_figure(book: LessonNotebook) -> Iterator[str]:
    """The explanation has a figure that draws without a kernel, with its twin."""
    outputs = [output for cell in book.code("Explain") for output in cell.outputs]
    drawn = [output for output in outputs if FIGURES & set(output.get("data", {}))]
    if not drawn:
        yield "Explain stores no figure"
    if any(len(_plain(output).split()) < FEWEST_WORDS for output in drawn):
        yield "a figure of Explain is stored without its twin in words"


def program_and_specimen_run(book: LessonNotebook) -> Iterator[str]:
    """The program runs, and something is broken on purpose."""
    for section in ("Program", "Break it"):
        if not any(cell.outputs for cell in book.code(section)):
            yield f"{section} runs nothing that shows"


def silicon_sets_side_by_side(book: LessonNotebook) -> Iterator[str]:
    """Quoted, modelled and measured stand beside each other."""
    words = book.prose("Silicon") + "".join(
        _plain(output) + output.get("text", "") for cell in book.code("Silicon") for output in cell.outputs
    )
    missing = {"quoted", "modelled", "measured"} - {word.lower() for word in EVIDENCE.findall(words)}
    if missing:
        yield f"Silicon says nothing {', '.join(sorted(missing))}"


def numbers_have_sources(book: LessonNotebook) -> Iterator[str]:
    """Every quantity in prose stands with a claim of the ledger, or says that it is modelled or measured."""
    for index, cell in enumerate(book.cells):
        if cell.cell_type != "markdown":
            continue
        for cited in CLAIM.findall(cell.source):
            if cited not in book.known_claims:
                yield f"cell {index} cites {cited}, which is not in the ledger"
        for paragraph in re.split(r"\n\s*\n|\n(?=[-*] )", cell.source):
            quantity = QUANTITY.search(paragraph)
            if quantity and not CLAIM.search(paragraph) and not EVIDENCE.search(paragraph):
                yield f"cell {index} says {quantity.group()!r} without a source"
    sources = book.prose("Take away").partition("**Sources.**")[2]
    if not sources.strip():
        yield "Take away has no '**Sources.**'"


def exercise_is_the_generated_one(book: LessonNotebook) -> Iterator[str]:
    """Each exercise stands there with the skeleton made from its solution, and is checked."""
    if not book.called("exercise", "Exercise"):
        yield "Exercise has no exercise"
    if book.lesson is None:
        yield "it imports no lesson of hopperlab.lessons"
        return
    for name, exercise in book.lesson.exercises.items():
        asked = [call.cell for call in book.called("exercise") if call.name == name]
        checked = [call.cell for call in book.called("check") if call.name == name]
        written = [
            index
            for index, cell in enumerate(book.cells)
            if cell.source.strip() == exercise.skeleton().strip()
        ]
        if not asked or not checked or not written:
            yield f"the exercise {name!r} lacks its task, its generated skeleton in a cell of its own, or its check"
        elif not asked[0] < written[0] < checked[0]:
            yield f"the exercise {name!r} is not in the order task, skeleton, check"


def checks_reject_misconceptions(book: LessonNotebook) -> Iterator[str]:
    """Every exercise foresees misconceptions; its check rejects each with its own reason, and the solution passes."""
    for name, exercise in (book.lesson.exercises if book.lesson else {}).items():
        if not exercise.misconceptions:
            yield f"the exercise {name!r} foresees no misconception"
        for passed in unrejected_mutants(exercise):
            yield f"the check of {name!r} passes the misconception {passed!r}"
        for unexplained in unexplained_mutants(exercise):
            yield f"the check of {name!r} does not tell the misconception {unexplained!r} its reason"
        if solution_failures(exercise, range(20)):
            yield f"the solution of {name!r} fails its own check"
    for name, prediction in (book.lesson.predictions if book.lesson else {}).items():
        for unexplained in [*prediction.unexplained_misconceptions(), *prediction.unexplained_options()]:
            yield f"the prediction {name!r} does not tell {unexplained!r} its reason"


def links_lead_on_and_back(book: LessonNotebook) -> Iterator[str]:
    """Its opening links to its neighbors, and every link within the folder leads somewhere."""
    numbered = sorted(name for name in book.others if NAME.fullmatch(name))
    linked = {match["target"] for match in LINK.finditer(book.prose(OPENING))}
    for before, after in pairwise(numbered):
        if book.stored.name == before and after not in linked:
            yield f"its opening does not link to the next notebook, {after}"
        if book.stored.name == after and before not in linked:
            yield f"its opening does not link to the one before, {before}"
    for cell in book.cells:
        for match in LINK.finditer(cell.source if cell.cell_type == "markdown" else ""):
            target = match["target"]
            if "://" not in target and target not in book.others:
                yield f"it links to {target}, which does not exist"


RULES: tuple[Callable[[LessonNotebook], Iterator[str]], ...] = (
    is_plain_python,
    opening,
    sections_in_order,
    prediction_before_panel,
    panels_have_twins,
    explains_with_a_figure,
    program_and_specimen_run,
    silicon_sets_side_by_side,
    numbers_have_sources,
    exercise_is_the_generated_one,
    checks_reject_misconceptions,
    links_lead_on_and_back,
)

# (notebook, rule): the reason why the rule does not hold for it.
EXCEPTIONS: dict[tuple[str, str], str] = {}


def lesson_notebooks(folder: Path = FOLDER) -> list[LessonNotebook]:
    """The lessons among the notebooks of a folder."""
    names = sorted(path.name for path in folder.glob("*.ipynb"))
    lessons = [
        name for name in names if NAME.fullmatch(name) and int(NAME.fullmatch(name)["number"]) in LESSONS
    ]
    return [LessonNotebook(Stored.read(folder / name), names) for name in lessons]


def problems(book: LessonNotebook) -> list[tuple[str, str]]:
    """All that a lesson lacks: the rule's name, and what it says."""
    return [(rule.__name__, problem) for rule in RULES for problem in rule(book)]
