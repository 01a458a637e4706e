"""The reference of the vocabulary: a table a family, made from the words themselves."""

import json
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from hopperlab.device.simulator import twins
from hopperlab.device.vocabulary import families, words
from hopperlab.views.vocabulary import table


@dataclass(frozen=True)
class Table:
    """A table in Markdown, which is its own twin in text."""

    text: str

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/plain": self.text, "text/markdown": self.text}


def family(*names: str) -> Table:
    """Give the table of the words of families; "special" has the words that are said without a family.

    Raises
    ------
    ValueError
        If there is no family of such a name, or no name.
    """
    known = families()
    if not names or not set(names) <= set(known):
        wrong = next((name for name in names if name not in known), "")
        raise ValueError(f"family is {wrong!r}; the vocabulary has {', '.join(known)}")
    machine_code = json.loads(files("hopperlab").joinpath("data/vocabulary_sass.json").read_text("utf-8"))
    simulated = {word.name for word in words() if twins.find(word) is not None}
    return Table(table([word for word in words() if word.family in names], machine_code, simulated))
