"""Launches on a card: clusters, large shared memory, streams, and errors that name the kernel."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from cuda.bindings import driver
from numba import cuda as numba_cuda
from numba.cuda.cudadrv.driver import _to_core_stream
from numba.cuda.dispatcher import _Kernel as NumbaKernel

from hopperlab.chip import chip
from hopperlab.device.silicon import cache, compilation
from hopperlab.device.silicon.card import checked, limits
from hopperlab.device.silicon.compilation import Resources
from hopperlab.device.silicon.tensor_maps import TensorMapType, encoded
from hopperlab.device.silicon.tiles import check_tiles
from hopperlab.device.tensor_map import TensorMap

_ATTRIBUTE = driver.CUfunction_attribute

HOPPER = chip("H100 SXM5")

# Instructions that reach for the cluster. In a launch without one, st.async and copies to shared memory are illegal
# even to one's own block; in a launch with one, blocks start more slowly, so that others do without.
REACHES_FOR_THE_CLUSTER = re.compile(
    r"\b(st\.async|red\.async|mapa|barrier\.cluster|multimem)\b|shared::cluster\.shared::cta|multicast::cluster"
    r"|\b(ld|st|atom|red)[.\w:]*\.shared::cluster"
)

# A kernel that waits for the grids before it may begin before they end.
WAITS_FOR_GRIDS = re.compile(r"\bgriddepcontrol\.wait\b")


class CompiledKernel:
    """The variants of one kernel on this card: one for each tuple of argument types, compiled once.

    The driver gets the PTX whole, as `Kernel.ptx` shows it. numba would have it linked, and the linker forgets
    the alignment of dynamic shared memory: a tile that asks for 128 bytes then starts on 16.
    """

    def __init__(self, function: Callable, options: Mapping[str, Any]) -> None:
        self._python, self._options = function, options
        self._dispatcher = numba_cuda.jit(function)  # for the types of arguments; it compiles nothing
        self._functions: dict[tuple, Any] = {}
        self._allowed: dict[tuple, tuple[bool, int]] = {}
        self._reaches_for_the_cluster: dict[tuple, bool] = {}
        self._waits_for_grids: dict[tuple, bool] = {}

    def types_of(self, arguments: tuple) -> tuple:
        """Give the numba types of launch arguments: numbers, numpy arrays, any device array."""
        return tuple(self._dispatcher.typeof_pyval(a) for a in arguments)

    def function(self, types: tuple) -> Any:
        """Give the driver's function (CUfunction) of a variant.

        Raises
        ------
        ValueError
            If the kernel has tiles that no copy engine can take.
        RuntimeError
            If the driver does not take the PTX.
        """
        if types not in self._functions:
            digest = cache.key(self._python, types, self._options)
            text = cache.load(digest)
            if text is None:
                text = compilation.ptx(self._python, types, self._options)
                check_tiles(self._python.__name__, text)
                cache.store(digest, text)
            self._reaches_for_the_cluster[types] = bool(REACHES_FOR_THE_CLUSTER.search(text))
            self._waits_for_grids[types] = bool(WAITS_FOR_GRIDS.search(text))
            self._functions[types] = loaded(text, self._options.get("max_registers"))
        return self._functions[types]

    def resources(self, types: tuple) -> Resources:
        """Read a variant's resources off the driver."""
        function = self.function(types)

        def ask(attribute: Any) -> int:
            return checked(driver.cuFuncGetAttribute(attribute, function))

        return Resources(
            registers=ask(_ATTRIBUTE.CU_FUNC_ATTRIBUTE_NUM_REGS),
            spill_store_bytes=None,
            spill_load_bytes=None,
            stack_bytes=ask(_ATTRIBUTE.CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES),
            shared_bytes=ask(_ATTRIBUTE.CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES),
        )

    def allow(self, types: tuple, cluster_blocks: int, shared_bytes: int) -> Any:
        """Opt in to a cluster size and to dynamic shared memory; give the driver's function.

        Raises
        ------
        ValueError
            If the kernel's own shared memory and what is asked for are more than a block gets.
        """
        function = self.function(types)
        non_portable, allowed_bytes = self._allowed.get(types, (False, 0))
        if cluster_blocks > HOPPER.max_portable_cluster_size and not non_portable:
            self._set(function, _ATTRIBUTE.CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1)
            non_portable = True
        if shared_bytes > allowed_bytes:
            self._check_shared_bytes(types, shared_bytes)
            self._set(function, _ATTRIBUTE.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, shared_bytes)
            allowed_bytes = shared_bytes
        self._allowed[types] = non_portable, allowed_bytes
        return function

    def _check_shared_bytes(self, types: tuple, shared_bytes: int) -> None:
        own, most = self.resources(types).shared_bytes, limits().max_shared_bytes_per_block
        if own + shared_bytes > most:
            raise ValueError(
                f"shared_bytes is {shared_bytes}, but the kernel declares {own} bytes itself: "
                f"0 to {most - own} are left of the {most} that a block gets"
            )

    def schedule(self, types: tuple, policy: int) -> None:
        """Prefer a way of placing clusters in later launches: 0 the default, 1 spread, 2 load balancing."""
        self._set(
            self.function(types), _ATTRIBUTE.CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE, policy
        )

    def launch(
        self,
        arguments: tuple,
        grid: tuple[int, int, int],
        block: tuple[int, int, int],
        stream: Any,
        shared_bytes: int,
        cluster: tuple[int, int, int],
    ) -> None:
        """Launch. `grid` counts blocks and is a multiple of `cluster`; the caller has checked them.

        Raises
        ------
        RuntimeError
            If the driver refuses; the message has its error's name.
        """
        start, write_back = self.prepared(arguments, grid, block, stream, shared_bytes, cluster)
        start()
        for copy_back in write_back:
            copy_back()

    def prepared(
        self,
        arguments: tuple,
        grid: tuple[int, int, int],
        block: tuple[int, int, int],
        stream: Any,
        shared_bytes: int,
        cluster: tuple[int, int, int],
    ) -> tuple[Callable[[], None], list[Callable]]:
        """Give what starts a launch as of `launch`, any number of times, and what then brings host arrays back."""
        types = self.types_of(arguments)
        function = self.allow(types, cluster[0] * cluster[1] * cluster[2], shared_bytes)
        stream = _to_core_stream(stream)
        write_back: list[Callable] = []
        values: list[Any] = []
        for kind, value in zip(types, arguments, strict=True):
            if isinstance(kind, TensorMapType):
                values.append(_words_of(value))
            else:
                _ARGUMENTS._prepare_args(kind, value, stream, write_back, values)
        config = _configuration(grid, block, stream, shared_bytes)
        attributes = []
        if cluster != (1, 1, 1) or self._reaches_for_the_cluster[types]:
            attributes.append(_cluster_attribute(cluster))
        if self._waits_for_grids[types]:
            attributes.append(_serialization_attribute())
        config.attrs, config.numAttrs = attributes, len(attributes)
        parameters = _Parameters(values, arguments)

        def start() -> None:
            checked(driver.cuLaunchKernelEx(config, function, parameters.address, 0))

        return start, write_back

    @staticmethod
    def _set(function: Any, attribute: Any, value: int) -> None:
        checked(driver.cuFuncSetAttribute(function, attribute, value))


class _Arguments:
    """How numba lays out arguments, without a kernel that it compiled."""

    extensions = ()
    _prepare_args = NumbaKernel._prepare_args


_ARGUMENTS = _Arguments()


def loaded(text: str, max_registers: int | None = None) -> Any:
    """Let the driver assemble and load a kernel's PTX; give its function (CUfunction).

    Raises
    ------
    RuntimeError
        If the driver refuses; the message has its error's name.
    """
    numba_cuda.current_context()
    try:
        library = _library(text.encode() + b"\0", max_registers)
    except RuntimeError as refusal:
        if "UNSUPPORTED_PTX_VERSION" not in str(refusal):
            raise
        # The compiler is newer than the driver; what its own assembler makes, the driver takes.
        library = _library(compilation.cubin(text, max_registers), None)
    name = re.search(r"\.entry\s+([\w$]+)", text)[1]
    return checked(driver.cuKernelGetFunction(checked(driver.cuLibraryGetKernel(library, name.encode()))))


def _library(image: bytes, max_registers: int | None) -> Any:
    options = {} if max_registers is None else {driver.CUjit_option.CU_JIT_MAX_REGISTERS: max_registers}
    return checked(
        driver.cuLibraryLoadData(image, list(options), list(options.values()), len(options), [], [], 0)
    )


def _words_of(tensor_map: TensorMap) -> ctypes.Array:
    """Give the 128 bytes of a tensor map, encoded by the driver."""
    if not tensor_map.on_device:
        raise TypeError(
            "the tensor map is of a numpy array, in host memory; "
            "make it of a device array (numba.cuda.to_device) to launch on a card"
        )
    return (ctypes.c_uint64 * 16)(*encoded(tensor_map.descriptor))


def _configuration(
    grid: tuple[int, int, int], block: tuple[int, int, int], stream: Any, shared_bytes: int
) -> Any:
    config = driver.CUlaunchConfig()
    config.gridDimX, config.gridDimY, config.gridDimZ = grid
    config.blockDimX, config.blockDimY, config.blockDimZ = block
    config.sharedMemBytes = shared_bytes
    config.hStream = driver.CUstream(int(stream.handle))
    return config


def _cluster_attribute(cluster: tuple[int, int, int]) -> Any:
    shape = driver.CUlaunchAttribute()
    shape.id = driver.CUlaunchAttributeID.CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION
    shape.value.clusterDim.x, shape.value.clusterDim.y, shape.value.clusterDim.z = cluster
    return shape


def _serialization_attribute() -> Any:
    allowed = driver.CUlaunchAttribute()
    allowed.id = driver.CUlaunchAttributeID.CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION
    allowed.value.programmaticStreamSerializationAllowed = 1
    return allowed


class _Parameters:
    """The array of parameters that the driver reads; it keeps alive what they point to.

    Attributes
    ----------
    address
        Where the array is.
    """

    def __init__(self, values: Iterable[Any], arguments: tuple) -> None:
        self._held = [_as_parameter(value) for value in values], arguments
        self._pointers = (ctypes.c_void_p * len(self._held[0]))(*map(ctypes.addressof, self._held[0]))
        self.address = ctypes.addressof(self._pointers)


def _as_parameter(value: Any) -> Any:
    """Bring what numba prepared to a ctypes object: it gives plain ints for addresses, sizes and strides."""
    if isinstance(value, bool | np.bool_):
        return ctypes.c_bool(value)
    return ctypes.c_int64(value) if hasattr(value, "__index__") else value
