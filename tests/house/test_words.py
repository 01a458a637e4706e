"""Words that must not appear: hype, unfinished work, one machine's paths, another spelling, emoji."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
THIS_FILE = Path(__file__).resolve()
FOLDERS = ("hopperlab", "tests", "notebooks", "binder", ".ci")
FILES = ("README.md", "Makefile", "pyproject.toml", "environment.yml")
READ = {".py", ".md", ".ipynb", ".json", ".yml", ".toml", ".cfg", ""}
# Sources are quoted in their own words.
QUOTED = ROOT / "hopperlab" / "data"

HYPE = (
    "revolutionary|game[- ]chang\\w+|cutting[- ]edge|blazing\\w*|seamless\\w*|world[- ]class|state[- ]of[- ]the[- ]art"
    "|next[- ]level|unleash\\w*|supercharg\\w+|groundbreaking|magical\\w*|effortless\\w*|delv(?:e|es|ing)"
)
UNFINISHED = "TODO|FIXME|XXX|HACK|lorem ipsum|coming soon|not implemented yet|under construction"
MADE_BY = "chatgpt|openai|anthropic|claude|copilot|language model wrote|ai[- ]generated|coding agent|prompt engineering"
MACHINE = r"(?<![\w.])/(?:work|root|home/\w+|Users/\w+|workspace|builds)/|[A-Z]:\\Users"
# "modelled" is one of the three words for evidence, and stays.
BRITISH = (
    "(?:colour|behaviour|neighbour|favour|honour|artefact|catalogue)\\w*|grey(?:s|ed)?|programmes?|(?:metre|fibre)s?"
    "|centre[ds]?|labell(?:ed|ing)|analys(?:e|ed|ing)"
    "|(?:initial|synchron|serial|normal|optim|organ|recogn|real|util|general|minim|maxim|summar|visual|special|quant"
    "|parallel|stabil|random|emphas|material|categor)is(?:e|es|ed|ing|ation|ations|er|ers)"
)
EMOJI = "[\U0001f000-\U0001faff\ufe0f]"

FORBIDDEN = {
    "hype": re.compile(rf"\b(?:{HYPE})\b", re.IGNORECASE),
    "unfinished": re.compile(rf"\b(?:{UNFINISHED})\b"),
    "how it was made": re.compile(rf"\b(?:{MADE_BY})\b", re.IGNORECASE),
    "a path of one machine": re.compile(MACHINE),
    "British spelling": re.compile(rf"\b(?:{BRITISH})\b", re.IGNORECASE),
    "an emoji": re.compile(EMOJI),
}

# (file, what was found): the reason why it stays.
EXCEPTIONS: dict[tuple[str, str], str] = {
    ("tests/house/test_stored_notebooks.py", "/home/ada/"): "the example that its rule must find",
}


def texts(root: Path = ROOT) -> Iterator[tuple[str, str]]:
    """Every text that people write and read here, by its path."""
    paths = [root / name for name in FILES]
    for folder in FOLDERS:
        paths += [path for path in sorted((root / folder).rglob("*")) if path.is_file()]
    for path in paths:
        if (
            path.suffix in READ
            and path != THIS_FILE
            and QUOTED not in path.parents
            and "__pycache__" not in path.parts
        ):
            yield str(path.relative_to(root)), path.read_text(encoding="utf-8")


def found(text: str) -> Iterator[tuple[int, str, str]]:
    """What is forbidden in a text: the line, what it is, why."""
    for why, pattern in FORBIDDEN.items():
        for match in pattern.finditer(text):
            yield text.count("\n", 0, match.start()) + 1, match.group(), why


@cache
def all_found() -> list[tuple[str, int, str, str]]:
    """What is forbidden in any text, with its path."""
    return [(name, *what) for name, text in texts() for what in found(text)]


def test_nothing_forbidden_is_said() -> None:
    said = [
        f"{name}:{line}: {what!r} ({why})"
        for name, line, what, why in all_found()
        if (name, what) not in EXCEPTIONS
    ]
    assert said == []


def test_all_that_is_written_here_is_read() -> None:
    names = {name for name, _ in texts()}
    assert {"README.md", "Makefile", ".ci/run", "binder/postBuild", "hopperlab/cli/lab.py"} <= names
    assert len(names) > 50


def test_every_exception_is_still_needed() -> None:
    assert set(EXCEPTIONS) <= {(name, what) for name, _, what, _ in all_found()}
    assert all(EXCEPTIONS.values())


@pytest.mark.parametrize(
    ("sentence", "why"),
    [
        ("A revolutionary, cutting-edge chip", "hype"),
        ("# TODO: count the phases", "unfinished"),
        ("Written with ChatGPT.", "how it was made"),
        ("see /home/ada/notes.txt", "a path of one machine"),
        ("open('/work/main/x')", "a path of one machine"),
        ("the colour of its neighbours", "British spelling"),
        ("we initialise and synchronise", "British spelling"),
        ("labelled in the centre, analysed in grey", "British spelling"),
        ("done \U0001f389", "an emoji"),
    ],
)
def test_what_is_forbidden_is_found(sentence: str, why: str) -> None:
    assert why in {reason for _, _, reason in found(sentence)}


@pytest.mark.parametrize(
    "sentence",
    [
        "The program initializes its barriers; labels are labeled, colors follow the theme; the results are modelled.",
        "analyses, a raised exception, a promise, precise, otherwise, exercises, a premise, comprises",
        "https://example.org/work/main and shares/work/x, a/b/c, 1/2",
        "arrows \u2192 and \u2264, units \u00b5s, minus \u2212",
    ],
)
def test_what_is_allowed_is_let_through(sentence: str) -> None:
    assert list(found(sentence)) == []
