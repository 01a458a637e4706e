"""What numba's compiler makes of a learner's function: for exercises that ask how it is written."""

from collections.abc import Callable
from typing import Any, NamedTuple


class Compiled(NamedTuple):
    """The body of the function in LLVM's language, and the numba type that it returns; or why there is none."""

    code: str = ""
    returns: Any = None
    refused: str = ""


def compiled(function: Callable, *types: Any) -> Compiled:
    """Compile a function for this processor, for arguments of these numba types."""
    from numba import njit

    try:
        made = njit([types])(function)
    except Exception as error:  # numba's errors are of many types; the learner wants the last line
        return Compiled(refused=f"numba cannot compile it: {str(error).strip().splitlines()[-1]}")
    (signature,) = made.signatures
    code = made.inspect_llvm(signature).partition("define ")[2].partition("\n}")[0]
    return Compiled(code, made.nopython_signatures[0].return_type)
