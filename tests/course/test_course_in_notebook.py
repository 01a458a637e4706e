"""A small notebook with a prediction, a panel, a quiz and an exercise, executed as JupyterLab would."""

import os

import nbformat
import pytest
from nbclient import NotebookClient

LESSON = """
from hopperlab.course import Exercise, Lesson, Misconception, Number, Option, Prediction, Question, Quiz
from hopperlab.lessons.controls import slider
from hopperlab.lessons.panel import Panel
from hopperlab.views.picture import Picture
import plotly.graph_objects as go


def occupancy(size):
    # your part: round down
    return 132 // size
    # end of your part


def curve(size):
    figure = go.Figure(go.Scatter(x=[1, 2], y=[size, occupancy(size)]))
    return Picture("At once", f"{occupancy(size)} clusters of {size}.", figure=figure)


lesson = Lesson(
    "made",
    predictions=[
        Prediction("largest", "How many clusters of 16?", Number("clusters", 0, 132), lambda: occupancy(16),
                   "Rounded down.", [Misconception("rounded up", 9, "A cluster starts whole.")])
    ],
    quizzes=[Quiz("wait", [Question("Who waits?", [Option("all", "No."), Option("some", "Yes.", right=True)])])],
    exercises=[
        Exercise("occupancy", "Write `occupancy`.", occupancy, lambda draw: (draw.integer(1, 16),), ["a", "b", "c"],
                 [Misconception("rounded up", lambda size: -(-132 // size), "A cluster starts whole.")])
    ],
)
lesson.panels["curve"] = lambda: Panel("made.curve", curve, size=slider("Size", 1, 16, 8))
"""
SKELETON = """def occupancy(size):
    # Your part: round down.
    raise NotImplementedError("write this part")"""
CELLS = [
    "from made import lesson",
    'lesson.predict("largest")',
    'lesson.panel("curve")',
    'lesson.reveal("largest")',
    'lesson.quiz("wait")',
    'lesson.exercise("occupancy")',
    SKELETON,
    'lesson.check("occupancy", occupancy)',
    'lesson.solution("occupancy")',
    "lesson.summary()",
]


def run(folder, cells: list[str], progress: str = "") -> list[str]:
    """Execute cells in a fresh kernel; the text of each cell's outputs."""
    (folder / "made.py").write_text(LESSON)
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in cells])
    environment = {key: value for key, value in os.environ.items() if key != "HOPPERLAB_PROGRESS"}
    if progress:
        environment["HOPPERLAB_PROGRESS"] = progress
    client = NotebookClient(
        notebook,
        timeout=60,
        kernel_name="python3",
        store_widget_state=False,
        resources={"metadata": {"path": str(folder)}},
    )
    client.execute(env=environment)
    return [_text(cell) for cell in notebook.cells]


def _text(cell) -> str:
    texts = []
    for output in cell.outputs:
        assert output.output_type == "execute_result", f"nothing but results is shown at run time: {output}"
        texts.append(output.data["text/plain"])
    return "\n".join(texts)


@pytest.fixture(scope="module")
def untouched(tmp_path_factory) -> list[str]:
    return run(tmp_path_factory.mktemp("notebook"), CELLS)


def test_run_all_shows_no_answer_and_stops_nowhere(untouched) -> None:
    _, asked, panel, reveal, quiz, exercise, _, check, solution, summary = untouched
    assert asked.splitlines()[-1] == "No guess committed yet."
    assert panel == "[panel] At once | Size=8\n16 clusters of 8."
    assert reveal == "No guess yet for largest. Commit one above; the answer waits for it."
    assert quiz == "[quiz] wait\n1. Who waits?\n   - some\n   - all"
    assert exercise.startswith("[exercise] occupancy\nWrite `occupancy`.")
    assert check == "Not written yet: fill in occupancy above, run its cell, then run this one again."
    assert solution.endswith("Honest tries so far: 0.")
    assert "none yet" in summary
    assert not any("132 //" in text for text in untouched)


def test_a_second_run_shows_the_same_to_the_letter(untouched, tmp_path) -> None:
    assert run(tmp_path, CELLS) == untouched


def test_a_lesson_is_worked_and_found_again_after_a_restart(tmp_path) -> None:
    file = str(tmp_path / "progress.json")
    asking = [
        "from made import lesson",
        'card = lesson.predict("largest"); reveal = lesson.reveal("largest")',
        'card.input.field.value = "9"; card.commit.click(); reveal',
        "def occupancy(size):\n    return -(-132 // size)",
        'lesson.check("occupancy", occupancy)',
        "def occupancy(size):\n    while True: pass",
        'lesson.check("occupancy", occupancy)',
        "def occupancy(size):\n    return 132 // size",
        'lesson.check("occupancy", occupancy)',
    ]
    _, _, told, _, wrong, _, endless, _, right = run(tmp_path, asking, file)
    assert told.splitlines()[0] == "Not this time."
    assert "Often behind it: rounded up." in told
    assert "occupancy(size=5)" in wrong
    assert "Often behind it: rounded up." in wrong
    assert "was stopped." in endless
    assert right == "Right on all 61 inputs."

    again = [
        "from made import lesson",
        'lesson.predict("largest")',
        'lesson.solution("occupancy")',
        "lesson.summary()",
    ]
    _, asked, solution, summary = run(tmp_path, again, file)
    assert asked.endswith("Committed: 9 clusters.")
    assert "return 132 // size" in solution
    assert "0 of 1 points, 1 of 1 revealed" in summary
    assert f"Progress is kept in {file}." in summary
