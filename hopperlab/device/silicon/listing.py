"""The machine code of a word by itself: its PTX between the loads of its arguments and the stores of its results.

`python -m hopperlab.device.silicon.listing` writes the listings of all words to data/vocabulary_sass.json, for
readers without an assembler.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from numba.cuda import types

from hopperlab.device.silicon import compilation
from hopperlab.device.silicon.intrinsics import Slots
from hopperlab.device.silicon.shared_types import BarrierType
from hopperlab.device.silicon.tensor_maps import TensorMapType
from hopperlab.device.vocabulary import words
from hopperlab.device.vocabulary.kinds import (
    Array,
    Barrier,
    Choice,
    Coordinates,
    Element,
    Fragment,
    Index,
    Kind,
    Registers,
    Scalar,
    SharedObject,
    TensorMap,
)
from hopperlab.device.vocabulary.word import Word

RECORDED = Path(__file__).parents[2] / "data" / "vocabulary_sass.json"
RANK, COLUMNS = 2, 64
"""Dimensions of the tensor map and columns of the fragment that a listing is for."""

# The letter of an inline-assembly constraint: the PTX type of its register
REGISTER_TYPES = {"h": "b16", "r": "b32", "l": "b64", "f": "f32", "d": "f64"}

# What loads arguments, stores results and ends a kernel, in any listing; and what may be a word's whole code
SURROUNDINGS = re.compile(
    r"(LDC|ULDC|MOV|UMOV|IMAD\.MOV|R2UR|UIADD3|BSYNC|BSSY|SEL|USEL|EXIT|NOP|BRA|STG\.E)(\.64|\.U16|\.U32|\.X)*"
)
SPECIAL_REGISTERS = re.compile(r"S2R|S2UR|CS2R")


def listing(word: Word) -> tuple[str, ...]:
    """Give the instructions that a word becomes, by name and in order, each once.

    Wants the `sass` extra. A word that is built out of more than instructions has none.
    """
    if word.ptx is None:
        return ()
    code = compilation.sass(_kernel(word))
    names = re.findall(r"/\*[0-9a-f]+\*/\s+(?:@!?U?P\w+\s+)?([A-Z][\w.]*)", code)
    own = [name for name in names if not SURROUNDINGS.fullmatch(name)]
    plain = [name for name in own if not SPECIAL_REGISTERS.match(name)]
    return tuple(dict.fromkeys(plain or own))


def recorded() -> dict[str, list[str]]:
    """Give the listings that come with the package, by word."""
    return json.loads(RECORDED.read_text(encoding="utf-8"))


def _kernel(word: Word) -> str:
    """Write a kernel around a word: parameters for its inputs, a global array for its outputs."""
    given: dict[str, types.Type] = {}
    for name, kind in word.arguments.items():
        given[name] = _sample(word, name, kind, given)
    slots = Slots(word, given)
    outputs = [register for taken in slots.outputs for register in taken]
    inputs = [register for taken in slots.inputs.values() for register in taken]
    tied = [int(letter) if letter.isdigit() else None for letter in slots.constraints().split(",")]
    every = [REGISTER_TYPES[register.letter] for register in (*outputs, *inputs)]
    places = list(range(len(every)))
    for number, same in enumerate(tied[: len(every)]):
        places[number] = number if same is None else same
    declare = [f".reg .{type} v{number};" for number, type in enumerate(every)]
    fill = [
        f"ld.param.{type} v{place}, [p{number}];"
        for number, (type, place) in enumerate(zip(every, places, strict=True))
        if number >= len(outputs)
    ]
    keep = [
        f"st.global.{type} [out + {8 * number}], v{number};"
        for number, type in enumerate(every[: len(outputs)])
    ]
    said = re.sub(
        r"\$(\d+)", lambda match: f"v{places[int(match[1])]}", slots.assembly().replace("${:uid}", "0")
    )
    parameters = [f".param .{type} p{number}" for number, type in enumerate(every) if number >= len(outputs)]
    return "\n".join(
        [
            ".version 8.6",
            f".target {compilation.TARGET}",
            ".address_size 64",
            f".visible .entry k(.param .b64 to{''.join(f', {p}' for p in parameters)})",
            ".reqntid 128",
            ".minnctapersm 1",
            "{",
            ".reg .b64 out;",
            *declare,
            "ld.param.b64 out, [to];",
            "cvta.to.global.u64 out, out;",
            *fill,
            said,
            *keep,
            "ret;",
            "}",
        ]
    )


def _sample(word: Word, name: str, kind: Kind, given: dict[str, types.Type]) -> types.Type:
    """Give a numba type that an argument may have."""
    match kind:
        case Scalar(constant=True):
            default = word.signature.parameters[name].default
            return types.literal(default if isinstance(default, int) else kind.low or 0)
        case Scalar(type):
            return getattr(types, type)
        case Choice(names):
            return types.literal(names[0])
        case Registers(type, count):
            return types.UniTuple(getattr(types, type), count)
        case Fragment(columns):
            return types.UniTuple(types.float32, min(columns, COLUMNS) // 2)
        case Array() | SharedObject():
            return types.Array(types.uint32, 1, "C")
        case Index():
            return types.int32
        case Element(of, count):
            return given[of].dtype if count == 1 else types.UniTuple(given[of].dtype, count)
        case Barrier():
            return BarrierType()
        case TensorMap():
            return TensorMapType(RANK)
        case Coordinates():
            return types.UniTuple(types.int32, RANK)
    raise TypeError(f"{word.name}: no sample of a {kind}")


if __name__ == "__main__":
    lines = [f"{json.dumps(word.name)}: {json.dumps(listing(word))}" for word in words()]
    RECORDED.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
