"""The card: whether there is a Hopper, what it is, or why not, in a line."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from hopperlab.chip import Chip, chip

HOPPER = (9, 0)


@dataclass(frozen=True)
class Card:
    """A card, as the driver describes it.

    Attributes
    ----------
    name
        The driver's name of it.
    compute_capability
        Major and minor.
    sms
        Streaming multiprocessors.
    l2_bytes, memory_bytes
        Sizes of the L2 cache and of device memory, in bytes.
    ordinal
        Its number among the visible cards.
    """

    name: str
    compute_capability: tuple[int, int]
    sms: int
    l2_bytes: int
    memory_bytes: int
    ordinal: int = 0

    @property
    def slug(self) -> str:
        """Its name as a folder may be called: "nvidia-h200"."""
        return re.sub(r"[^a-z0-9]+", "-", self.name.lower()).strip("-")


class NoHopper(RuntimeError):  # noqa: N818 - it is a condition, told in words, before it is an error
    """There is no Hopper card to run on; the message says why and what to do."""


def checked(answer: tuple) -> Any:
    """Give what a call of the driver answered.

    Raises
    ------
    RuntimeError
        If the driver reports an error; the message has its name and its description.
    """
    from cuda.bindings import driver

    error, *values = answer
    if error != driver.CUresult.CUDA_SUCCESS:
        _, name = driver.cuGetErrorName(error)
        _, text = driver.cuGetErrorString(error)
        raise RuntimeError(f"{(name or b'?').decode()}: {(text or b'?').decode()}")
    return values[0] if len(values) == 1 else tuple(values)


@cache
def card() -> Card:
    """Give the first visible card, which is a Hopper.

    Raises
    ------
    NoHopper
        If there is no driver, no card, or a card of another kind.
    """
    try:
        from cuda.bindings import driver

        checked(driver.cuInit(0))
        count = checked(driver.cuDeviceGetCount())
    except Exception as error:
        raise NoHopper(f"no Hopper card: no CUDA driver answers ({_first_line(error)})") from None
    if count == 0:
        raise NoHopper("no Hopper card: the CUDA driver sees none (is CUDA_VISIBLE_DEVICES empty?)")
    found = _describe(checked(driver.cuDeviceGet(0)))
    if found.compute_capability != HOPPER:
        major, minor = found.compute_capability
        raise NoHopper(
            f"no Hopper card: this is a {found.name} of compute capability {major}.{minor}, "
            "and the vocabulary is that of 9.0"
        )
    return found


@cache
def limits() -> Chip:
    """Give the Hopper as the present card describes it: what its driver tells stands in place of the data sheet's.

    Raises
    ------
    NoHopper
        As `card` does.
    """
    from cuda.bindings import driver

    present = card()
    attribute, device = driver.CUdevice_attribute, checked(driver.cuDeviceGet(present.ordinal))
    told = {
        field: checked(driver.cuDeviceGetAttribute(getattr(attribute, f"CU_DEVICE_ATTRIBUTE_{name}"), device))
        for field, name in _LIMITS.items()
    }
    return replace(chip("H100 SXM5"), name=present.name, sms=present.sms, l2_bytes=present.l2_bytes, **told)


_LIMITS = {
    "max_threads_per_block": "MAX_THREADS_PER_BLOCK",
    "max_threads_per_sm": "MAX_THREADS_PER_MULTIPROCESSOR",
    "max_blocks_per_sm": "MAX_BLOCKS_PER_MULTIPROCESSOR",
    "registers_per_sm": "MAX_REGISTERS_PER_MULTIPROCESSOR",
    "shared_bytes_per_sm": "MAX_SHARED_MEMORY_PER_MULTIPROCESSOR",
    "max_shared_bytes_per_block": "MAX_SHARED_MEMORY_PER_BLOCK_OPTIN",
    "reserved_shared_bytes_per_block": "RESERVED_SHARED_MEMORY_PER_BLOCK",
}
"""Fields of `chip.Chip` that a driver tells, and what it calls them."""


def synchronize() -> None:
    """Wait until the current context has done everything; RuntimeError if something faulted."""
    from cuda.bindings import driver
    from numba import cuda

    cuda.current_context()
    checked(driver.cuCtxSynchronize())


def have_hopper() -> bool:
    """Say whether there is a Hopper card to run on."""
    try:
        card()
    except NoHopper:
        return False
    return True


def _describe(device: Any) -> Card:
    from cuda.bindings import driver

    attribute = driver.CUdevice_attribute

    def ask(which: Any) -> int:
        return checked(driver.cuDeviceGetAttribute(which, device))

    return Card(
        name=checked(driver.cuDeviceGetName(128, device)).decode().partition("\0")[0].strip(),
        compute_capability=(
            ask(attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
            ask(attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR),
        ),
        sms=ask(attribute.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
        l2_bytes=ask(attribute.CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE),
        memory_bytes=checked(driver.cuDeviceTotalMem(device)),
    )


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]
