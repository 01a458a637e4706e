"""What tests of kernels ask of the machine code."""

import re

from hopperlab.device import Kernel


def code_without_spill(kernel: Kernel, signature=None) -> str:
    """Give a kernel's machine code for sm_90a, having seen that all its values fit in registers."""
    resources = kernel.resources(signature)
    found = (resources.spill_store_bytes, resources.spill_load_bytes, resources.stack_bytes)
    assert found == (0, 0, 0), kernel.name
    return kernel.sass(signature)


def assert_has(code: str, *instructions: str) -> None:
    """Demand instructions: regular expressions that begin at an instruction's name."""
    missing = [name for name in instructions if not re.search(rf"\b{name}", code)]
    assert missing == []


def assert_lacks(code: str, *instructions: str) -> None:
    """Demand that instructions which would disprove a lesson are absent."""
    found = [name for name in instructions if re.search(rf"\b{name}", code)]
    assert found == []
