"""The vocabulary as tables: what a word takes, gives, means and becomes."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hopperlab.device.vocabulary.word import Word

HEAD = ("word", "takes", "gives", "PTX", "machine code", "from", "simulated")
NONE = "-"


def table(
    words: Iterable["Word"], machine_code: Mapping[str, Sequence[str]], simulated: Collection[str]
) -> str:
    """Give a Markdown table of words, a row each, with the meaning of each below.

    Parameters
    ----------
    words
        The words, in the order of the rows.
    machine_code
        For each word's name, the instructions that it becomes on sm_90a.
    simulated
        The names of the words that the simulator has.

    Raises
    ------
    ValueError
        If a word has no entry in `machine_code`.
    """
    words = tuple(words)
    if missing := [word.name for word in words if word.name not in machine_code]:
        raise ValueError(f"machine_code lacks {', '.join(missing)}")
    rows = [_row(word, machine_code[word.name], word.name in simulated) for word in words]
    lines = [HEAD, ("---",) * len(HEAD), *rows]
    meanings = [f"- `{word.name}`: {_first_paragraph(word.meaning)}" for word in words]
    return "\n".join(["| " + " | ".join(line) + " |" for line in lines] + ["", *meanings])


def _row(word: "Word", machine_code: Sequence[str], simulated: bool) -> tuple[str, ...]:
    takes = ", ".join(f"{name}: {kind}" for name, kind in word.arguments.items())
    gives = ", ".join(map(str, word.results))
    ptx = _code(" ".join(word.ptx.split())) if word.ptx else "an object, not an instruction"
    return (
        _code(word.name),
        _plain(takes) or NONE,
        _plain(gives) or NONE,
        ptx,
        " ".join(map(_code, machine_code)) or NONE,
        word.target,
        "yes" if simulated else "no",
    )


def _code(text: str) -> str:
    return f"`{_plain(text)}`"


def _plain(text: str) -> str:
    return text.replace("|", "\\|")


def _first_paragraph(meaning: str) -> str:
    return " ".join(meaning.split("\n\n")[0].split())
