"""What a card measured of the ladder, as the lesson tells it."""

from collections.abc import Mapping

from hopperlab import ledger

CARD = "H200 SXM"
SIZE = 4096
LARGE = 8192
STAGES = 2  # the case of the experiment that varies them


def speeds(size: int = SIZE) -> Mapping[str, float]:
    """FLOP a second by rung, and of the library, for a product of that size: 4096 or 8192."""
    for case in _results():
        if case["shape"] == [size] * 3:
            return case["flop_per_second"]
    raise ValueError(f"size={size}: recorded are {SIZE} and {LARGE}")


def gains() -> dict[str, float]:
    """How many times faster each rung is than the one below it."""
    names = [name for name in speeds() if "cuBLASLt" not in name and "," not in name]
    measured = [speeds()[name] for name in names]
    return {name: measured[i] / measured[i - 1] for i, name in enumerate(names) if i}


def by_stages() -> dict[int, float]:
    """FLOP a second of the specialized rung, by its stages."""
    found = _results()[STAGES]["flop_per_second"]
    return {int(name.split()[1]): speed for name, speed in found.items() if name.endswith("stages")}


def by_depth(name: str) -> dict[int, float]:
    """FLOP a second of a way for products of 4096 x 4096, by their depth K."""
    wanted = [SIZE, SIZE]
    return {
        case["shape"][2]: case["flop_per_second"][name]
        for case in reversed(_results())
        if case["shape"][:2] == wanted and name in case["flop_per_second"]
    }


def product(size: int = SIZE) -> tuple[float, float]:
    """FLOP a second of the package's own FP8 product, and of cuBLASLt beside it, for a cube of that size."""
    speeds = _product()["shapes"][f"{size}x{size}x{size}"]["flop_per_second"]
    return speeds["as chosen"], speeds["cuBLASLt"]


def shares() -> dict[tuple[int, int, int], dict[str, float]]:
    """By M, N and K, the FP8 product's share of cuBLASLt's speed after each change, in the order of the changes."""
    return {
        tuple(map(int, shape.split("x"))): found["share_of_cublaslt"]
        for shape, found in _product()["shapes"].items()
    }


def mean_shares() -> dict[str, float]:
    """The geometric mean of these over all shapes, by change."""
    return _product()["geometric_mean"]


def _product() -> dict:
    return ledger.recordings("fp8_product", card=CARD)[0].results


def _results() -> list:
    return ledger.recordings("gemm_ladder", card=CARD)[0].results
