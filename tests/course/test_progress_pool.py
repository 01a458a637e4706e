import pytest

from hopperlab.course import Misconception, Number, Option, Prediction, Question, Quiz, progress

POOLED = Misconception("SMs divided by size", 13, "One GPC each.")


def learn(path, guess: int, option: str) -> None:
    """One learner's session, kept in a file."""
    progress.use(progress.Store(path))
    prediction = Prediction("largest", "How many?", Number(), lambda: 8, "So.", [POOLED], theme="clusters")
    prediction.commit(guess)
    prediction.reveal()
    question = Question("Who?", [Option("all", "No."), Option("some", "Yes.", right=True)])
    Quiz("wait", [question], theme="clusters").verify({1: option})
    progress.store().update(
        "barriers", "exercises", "ring", lambda _: {"tries": ["a", "b"], "hints": 1, "passed": "2026-01-01"}
    )


@pytest.fixture
def folder(tmp_path):
    for name, guess, option in (("ada", 13, "some"), ("bob", 8, "all"), ("cyd", 13, "some")):
        learn(tmp_path / f"{name}.json", guess, option)
    return tmp_path


def test_a_class_is_pooled_by_question(folder) -> None:
    pool = progress.read(folder)
    assert pool.learners == ("ada", "bob", "cyd")
    assert pool.unread == ()
    text = pool.report().text
    assert "Learners: 3." in text
    assert "clusters  largest      3          1 of 3  13 x 2; 8 x 1  SMs divided by size x 2" in text
    assert "clusters  wait     3         2 of 3" in text
    assert "barriers  ring       3         3       6      3" in text


def test_one_theme_can_be_asked_for(folder) -> None:
    pool = progress.read(folder)
    assert "ring" not in pool.report("clusters").text
    assert list(pool.entries("predictions", "barriers")) == []


@pytest.mark.parametrize("suffix", [".json", ".csv"])
def test_an_export_reads_back_as_it_was(folder, tmp_path_factory, suffix) -> None:
    handed_in = tmp_path_factory.mktemp("handed in")
    progress.use(progress.Store(folder / "ada.json"))
    path = progress.export(handed_in / f"homework{suffix}", learner="Ada Lovelace")
    pool = progress.read(path)
    assert pool.learners == ("Ada Lovelace",)
    assert {(row.theme, row.part, row.id): row.entry for row in pool.rows} == {
        (row.theme, row.part, row.id): row.entry for row in progress.read(folder / "ada.json").rows
    }


def test_an_export_names_its_formats(tmp_path) -> None:
    with pytest.raises(ValueError, match=r"must end in \.json or \.csv"):
        progress.export(tmp_path / "progress.xlsx")


def test_an_export_that_cannot_be_written_says_so(tmp_path) -> None:
    with pytest.raises(OSError, match="no folder"):
        progress.export(tmp_path / "no folder" / "progress.csv")


def test_files_that_cannot_be_read_are_named_and_stop_nothing(folder) -> None:
    (folder / "damaged.json").write_text("{")
    (folder / "newer.json").write_text('{"schema": 9, "lessons": {}}')
    (folder / "other.csv").write_text("name,mark\nada,1\n")
    pool = progress.read([folder, folder / "missing.json"])
    assert pool.learners == ("ada", "bob", "cyd")
    assert {name for name, _ in pool.unread} == {"damaged", "newer", "other", "missing"}
    assert "Not read: damaged. it is not JSON" in pool.report().text


def test_files_of_the_same_name_are_told_apart_by_folder(tmp_path) -> None:
    for name in ("ada", "bob"):
        learn(tmp_path / name / "progress.json", 8, "some")
    assert progress.read(tmp_path).learners == ("ada/progress", "bob/progress")


def test_no_files_at_all_is_an_error(tmp_path) -> None:
    with pytest.raises(ValueError, match="it must name"):
        progress.read(tmp_path)


def test_reading_changes_no_file(folder) -> None:
    (folder / "damaged.json").write_text("{")
    before = {path: path.read_bytes() for path in folder.iterdir()}
    progress.read(folder)
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_a_learner_sees_an_overview_of_all_lessons(folder) -> None:
    progress.use(progress.Store(folder / "ada.json"))
    assert "largest" in progress.overview().report().text
    assert "ring" in repr(progress.overview())
