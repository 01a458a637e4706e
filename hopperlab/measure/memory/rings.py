"""Rings of lines in device memory, in an order that no prefetcher foretells, and L1 caches of a chosen size."""

from __future__ import annotations

from typing import Any

from hopperlab.chip import chip

BLOCK = 1024
KIB = 1024
WORD_BYTES = 8
SHARED_KIB = chip("H100 SXM5").shared_bytes_per_sm // KIB


class Memory:
    """A piece of device memory in which rings are made, one after the other.

    Parameters
    ----------
    nbytes
        Its size.
    """

    def __init__(self, nbytes: int) -> None:
        import numpy as np
        from numba import cuda

        self.words = cuda.device_array(nbytes // WORD_BYTES, np.uint64)
        self.base = np.uint64(self.words.__cuda_array_interface__["data"][0])
        self._made: tuple[int, int, int] | None = None
        self._order: Any = None

    def ring(self, stride: int, lines: int, far: int = 0) -> Any:
        """Make a ring of lines `stride` bytes apart, if it is not there; give its order, from line 0 on.

        If `far` is not 0, the line of that number is one more.
        """
        import numpy as np
        from numba import cuda

        from hopperlab.kernels.memory import link_up
        from hopperlab.models.memory import ring

        if self._made != (stride, lines, far):
            self._order = np.concatenate([ring(lines), [far] if far else []]).astype(np.uint32)
            order = cuda.to_device(self._order)
            link_up[1024, 256](self.words, self.base, order, np.uint64(stride // WORD_BYTES))
            self._made = stride, lines, far
        return self._order

    def chase(
        self, stride: int, lines: int, hops: int, through_l1: bool, shared_kib: int, repeats: int
    ) -> list[int]:
        """Follow such a ring for as many hops, some times over; give the cycles of each time."""
        import numpy as np
        from numba import cuda

        from hopperlab.kernels.memory import chase_addresses
        from hopperlab.measure.timing import require_work

        order = self.ring(stride, lines)
        kernel = chase_addresses(through_l1)
        cycles, ends = cuda.to_device(np.zeros(1, np.uint32)), cuda.to_device(np.zeros(1, np.uint64))
        arguments = (
            *(self.words, self.base, np.uint64(stride // WORD_BYTES)),
            *(np.int32(lines), np.int32(hops), cycles, ends),
        )
        prefer_shared(kernel, arguments, shared_kib)
        expected = int(self.base) + stride * int(order[2 * hops % lines])
        found = []
        for _ in range(repeats + 1):
            kernel[1, BLOCK](*arguments)
            taken = int(cycles.copy_to_host()[0])
            require_work("chase", ends.copy_to_host(), np.array([expected], np.uint64))
            found.append(taken)
        return found[1:]  # the first also loads the instructions

    def misses(self, stride: int, lines: int, far: int, shared_kib: int) -> dict[int, int]:
        """Follow such a ring round by round; give for each line, by number, how often it missed the L1 cache."""
        import numpy as np
        from numba import cuda

        from hopperlab.kernels.memory import count_misses
        from hopperlab.measure.timing import require_work

        order = self.ring(stride, lines, far)
        misses, ends = cuda.to_device(np.zeros(order.size, np.uint8)), cuda.to_device(np.zeros(1, np.uint64))
        arguments = (self.words, self.base, misses, ends)
        prefer_shared(count_misses, arguments, shared_kib)
        count_misses[1, 1](*arguments)
        require_work("rounds", ends.copy_to_host(), np.array([self.base], np.uint64))
        # A hop from one line loads that line: its latency is the line's own.
        return dict(sorted(zip(order.tolist(), misses.copy_to_host().tolist(), strict=True)))


def prefer_shared(kernel: Any, arguments: tuple, kib: int) -> None:
    """Ask for an SM whose memory is so much shared memory, and L1 cache for the rest."""
    from cuda.bindings import driver

    from hopperlab.device.silicon.card import checked

    function = kernel.silicon.function(kernel.silicon.types_of(arguments))
    percent = 100 * kib // SHARED_KIB  # down: the driver takes the next size up
    attribute = driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT
    checked(driver.cuFuncSetAttribute(function, attribute, percent))
