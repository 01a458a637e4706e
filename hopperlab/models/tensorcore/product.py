"""A whole matrix product as a unit computes it: steps chained along K, promotion, and the two engines."""

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from hopperlab.models.arguments import whole_number
from hopperlab.models.fp8.compiled import numba_is_there, run_in_slices, thread_count
from hopperlab.models.tensorcore.block import step
from hopperlab.models.tensorcore.formats import FLOAT16, FLOAT32
from hopperlab.models.tensorcore.operands import LEFT_OUT, Operand, operand
from hopperlab.models.tensorcore.units import Unit, unit_named

ENGINES = ("auto", "numba", "specification")
WORTH_COMPILING = 1 << 12  # products; below it the specification is done before numba has loaded
WORTH_A_THREAD = 1 << 20  # products a thread
MOST_K = 1 << 24


def matmul(
    a: ArrayLike,
    b: ArrayLike,
    c: ArrayLike | None = None,
    unit: str | Unit = "hopper.wgmma.e4m3",
    promote_every: int | None = None,
    *,
    engine: str = "auto",
    threads: int | None = None,
) -> np.ndarray:
    """Multiply A and B and add C with the arithmetic of a tensor core, bit for bit.

    Parameters
    ----------
    a, b
        Matrices (M, K) and (K, N) in the unit's formats: ml_dtypes arrays or uint8 codes for FP8, float16,
        bfloat16, or float32 for TF32, whose low 13 bits the unit does not see. Any K will do: hardware and model
        both fill the last instruction with zeros.
    c
        (M, N) in the unit's output dtype; None is zero.
    unit
        A name of `UNITS` or a `Unit`.
    promote_every
        Elements of K after which the sum so far is added to an FP32 total on ordinary lanes and the unit starts
        from zero again (DeepGEMM and CUTLASS: 128). A multiple of the unit's instruction. None never does: cuBLAS
        calls that fast accumulation. C is where the total starts.
    engine
        "numba" is fast, "specification" is `block.step`; same bits. "auto" chooses by size.
    threads
        Threads for large products; None means every core.

    Returns
    -------
    numpy.ndarray
        (M, N), float32, or float16 for units that accumulate in FP16. NaN is 0x7FFFFFFF or 0x7FFF.

    Raises
    ------
    ValueError
        For shapes that do not match, a unit or engine that does not exist, or a promotion that is not possible.
    TypeError
        For a dtype that the unit does not take.
    """
    unit = unit_named(unit)
    a, b = unit.a.values(a, "a"), unit.b.values(b, "b")
    if a.ndim != 2 or b.ndim != 2 or a.shape[1] != b.shape[0]:
        raise ValueError(f"a {a.shape} and b {b.shape} must be of shapes (M, K) and (K, N)")
    return product(a, b, c, unit, promote_every, engine=engine, threads=threads)


def product(
    a: np.ndarray,
    b: np.ndarray,
    c: ArrayLike | None,
    unit: Unit,
    promote_every: int | None,
    *,
    left_out: np.ndarray | None = None,
    engine: str = "auto",
    threads: int | None = None,
) -> np.ndarray:
    """Do as `matmul` on float64 values; `left_out` marks elements of A that a sparse instruction skips."""
    total = _accumulator(c, (a.shape[0], b.shape[1]), unit)
    spans = _spans(promote_every, unit)
    if engine not in ENGINES:
        raise ValueError(f"engine={engine!r} must be one of {', '.join(map(repr, ENGINES))}")
    threads = thread_count(threads)
    products = total.size * a.shape[1]
    if engine == "auto":
        engine = "numba" if products >= WORTH_COMPILING and numba_is_there() else "specification"

    skipped = None if left_out is None else _in_order(left_out, unit)
    rows = operand(_in_order(a, unit), unit.a, unit.block, skipped)
    columns = operand(_in_order(b.T, unit), unit.b, unit.block)
    if engine == "numba":
        run = partial(_run_compiled, rows, columns, unit, min(threads, 1 + products // WORTH_A_THREAD))
    else:
        run = partial(_run_specification, rows, columns, unit)
    return _with_restarts(run, total, range(rows.special.shape[1]), spans)


def _accumulator(c: ArrayLike | None, shape: tuple[int, int], unit: Unit) -> np.ndarray:
    """C in the output's dtype."""
    if c is None:
        return np.zeros(shape, unit.output.dtype)
    c = np.asarray(c)
    c = c.astype(c.dtype.newbyteorder("="))  # a copy: without any K it is the result
    if c.dtype != unit.output.dtype:
        raise TypeError(f"c: dtype {c.dtype} must be {unit.output.dtype} for {unit.name}")
    if c.shape != shape:
        raise ValueError(f"c: shape {c.shape} must be {shape}")
    return c


def _spans(promote_every: int | None, unit: Unit) -> tuple[int, ...]:
    """Blocks after which a sum goes to the ordinary lanes, outermost first."""
    late = (unit.instruction_k // unit.block,) if unit.late_accumulator else ()
    if promote_every is None:
        return late
    promote_every = whole_number("promote_every", promote_every, 1, MOST_K)
    if unit.output is FLOAT16:
        raise ValueError(f"promote_every={promote_every} must be None: {unit.name} accumulates in FP16")
    if promote_every % unit.instruction_k:
        raise ValueError(
            f"promote_every={promote_every} must be a multiple of {unit.instruction_k}, the K of {unit.name}"
        )
    return (promote_every // unit.block, *late)


def _in_order(matrix: np.ndarray, unit: Unit) -> np.ndarray:
    """Columns of a (rows, K) matrix in the order in which the unit's blocks take them."""
    if not unit.interleaved:
        return matrix
    rows, k = matrix.shape
    instructions = -(-k // unit.instruction_k)
    padded = np.zeros((rows, instructions * unit.instruction_k), matrix.dtype)
    padded[:, :k] = matrix
    pairs = padded.reshape(rows, instructions, unit.instruction_k // 4, 2, 2)
    return pairs.transpose(0, 1, 3, 2, 4).reshape(padded.shape)


def _with_restarts(
    run: Callable[[np.ndarray, range], np.ndarray], total: np.ndarray, blocks: range, spans: tuple[int, ...]
) -> np.ndarray:
    """Chain the blocks; at each span start from zero and add the sum to the total on ordinary lanes."""
    if not spans:
        return run(total, blocks)
    for start in range(0, len(blocks), spans[0]):
        span = blocks[start : start + spans[0]]
        total = _add_on_lanes(total, _with_restarts(run, np.zeros_like(total), span, spans[1:]))
    return total


def _add_on_lanes(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """IEEE addition as FADD and HADD2 do it, in the dtype of both."""
    with np.errstate(over="ignore", invalid="ignore"):
        total = x + y
    output = FLOAT16 if total.dtype == np.float16 else FLOAT32
    total.view(output.word)[np.isnan(total)] = output.nan
    return total


def _run_compiled(
    a: Operand, b: Operand, unit: Unit, threads: int, c: np.ndarray, blocks: range
) -> np.ndarray:
    """Chain the blocks on C with numba."""
    from hopperlab.models.tensorcore.engine import chain

    output = unit.output
    with np.errstate(invalid="ignore"):  # numpy warns of a signaling NaN
        total = c.astype(np.float64)
    integers = (
        unit.fraction_bits,
        unit.minimum_exponent,
        unit.output_fraction_bits,
        output.minimum_exponent,
        output.maximum_exponent,
        output is FLOAT16,
    )
    span = (blocks.start, blocks.stop, unit.block, integers)
    run_in_slices(
        lambda part: chain(*(array[part] for array in a.arrays), *b.arrays, total[part], *span),
        len(total),
        threads,
    )
    return output.from_float64(total)


def _run_specification(a: Operand, b: Operand, unit: Unit, c: np.ndarray, blocks: range) -> np.ndarray:
    """Chain the blocks on C one step at a time, as the specification has it."""
    total = c.copy()
    for i, j in np.ndindex(c.shape):
        for block in blocks:
            k = slice(block * unit.block, (block + 1) * unit.block)
            multiplied = a.exponents[i, k] != LEFT_OUT
            factors = a.values[i, k][multiplied].tolist(), b.values[j, k][multiplied].tolist()
            total[i, j] = step(*factors, float(total[i, j]), unit).result
    return total
