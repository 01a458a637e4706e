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


def family(name: str) -> Table:
    """Give the table of a family's words; "special" has the words that are said without a family.

    Raises
    ------
    ValueError
        If there is no family of that name.
    """
    if name not in families():
        raise ValueError(f"family is {name!r}; the vocabulary has {', '.join(families())}")
    machine_code = json.loads(files("hopperlab").joinpath("data/vocabulary_sass.json").read_text("utf-8"))
    simulated = {word.name for word in words() if twins.find(word) is not None}
    return Table(table([word for word in words() if word.family == name], machine_code, simulated))
