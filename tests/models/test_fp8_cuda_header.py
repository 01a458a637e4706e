"""The casts against CUDA's own: cuda_fp8.hpp, compiled for the host from the installed package."""

import ctypes
import shutil
import subprocess
from importlib.metadata import PackageNotFoundError, files

import numpy as np
import pytest

from hopperlab.models.fp8 import encode

SOURCE = """
#include <cstddef>
#include <cstdint>
#include <cuda_fp8.h>
#define CAST(NAME, TYPE)                                                                            \\
    extern "C" void NAME##_to_fp8(const TYPE* x, uint8_t* codes, size_t n, int saturate, int e5m2) { \\
        for (size_t i = 0; i < n; i++)                                                              \\
            codes[i] = __nv_cvt_##NAME##_to_fp8(x[i], saturate ? __NV_SATFINITE : __NV_NOSAT,        \\
                                                e5m2 ? __NV_E5M2 : __NV_E4M3);                      \\
    }
CAST(float, float)
CAST(double, double)
"""
# Of the libcu++ header that cuda_fp16.h asks for, the host path needs only these two words.
NV_TARGET = "#define NV_IF_ELSE_TARGET(c, t, f) f\n#define NV_IF_TARGET(c, ...)\n"


def include_directory():
    """Where the CUDA runtime's headers are installed, or None."""
    for package in ("nvidia-cuda-runtime", "nvidia-cuda-runtime-cu12"):
        try:
            found = [f for f in files(package) or [] if f.name == "cuda_fp8.h"]
        except PackageNotFoundError:
            continue
        if found:
            return found[0].locate().parent
    return None


@pytest.fixture(scope="module")
def cuda_cast(tmp_path_factory):
    """CUDA's cast of an array to codes."""
    headers, compiler = include_directory(), shutil.which("g++")
    if headers is None or compiler is None:
        pytest.skip("needs g++ and the headers of nvidia-cuda-runtime")
    folder = tmp_path_factory.mktemp("cuda_fp8")
    (folder / "nv").mkdir()
    (folder / "nv" / "target").write_text(NV_TARGET)
    (folder / "cast.cpp").write_text(SOURCE)
    library = folder / "cast.so"
    command = [compiler, "-O3", "-shared", "-fPIC", f"-I{folder}", f"-I{headers}", folder / "cast.cpp"]
    subprocess.run([*command, "-o", library], check=True)
    loaded = ctypes.CDLL(str(library))

    def cast(x, fmt, saturate):
        codes = np.empty(x.size, np.uint8)
        function = loaded.float_to_fp8 if x.dtype == np.float32 else loaded.double_to_fp8
        pointers = (ctypes.c_void_p(x.ctypes.data), ctypes.c_void_p(codes.ctypes.data))
        function(*pointers, ctypes.c_size_t(x.size), int(saturate), int(fmt == "e5m2"))
        return codes

    return cast


def hostile(dtype):
    """Random bits, many ties, and the values beside the ties."""
    rng, n = np.random.default_rng(0), 1 << 18
    word = np.uint32 if dtype == np.float32 else np.uint64
    anything = rng.integers(0, np.iinfo(word).max, n, dtype=word, endpoint=True).view(dtype)
    scaled = rng.normal(size=n) * np.exp2(rng.uniform(-22, 20, n))
    ties = (scaled.astype(np.float32).view(np.uint32) & np.uint32(0xFFFC0000)).view(np.float32).astype(dtype)
    return np.concatenate([anything, scaled.astype(dtype), ties, np.nextafter(ties, dtype(0))])


@pytest.mark.parametrize("fmt", ["e4m3", "e5m2"])
@pytest.mark.parametrize("saturate", [True, False])
def test_float32_equals_the_header_and_its_nan(cuda_cast, fmt, saturate):
    values = hostile(np.float32)
    assert np.isnan(values).any()
    assert np.array_equal(encode(values, fmt, saturate).view(np.uint8), cuda_cast(values, fmt, saturate))


@pytest.mark.parametrize("fmt", ["e4m3", "e5m2"])
@pytest.mark.parametrize("saturate", [True, False])
def test_float64_equals_the_header(cuda_cast, fmt, saturate):
    values = hostile(np.float64)
    values = values[
        ~np.isnan(values)
    ]  # the header keeps parts of a float64 NaN; the card's own cast does not
    assert np.array_equal(encode(values, fmt, saturate).view(np.uint8), cuda_cast(values, fmt, saturate))


@pytest.mark.exhaustive
@pytest.mark.parametrize("fmt", ["e4m3", "e5m2"])
@pytest.mark.parametrize("saturate", [True, False])
def test_all_float32_patterns_equal_the_header(cuda_cast, fmt, saturate):
    chunk = 1 << 24
    for start in range(0, 1 << 32, chunk):
        values = np.arange(start, start + chunk, dtype=np.uint32).view(np.float32)
        assert np.array_equal(encode(values, fmt, saturate).view(np.uint8), cuda_cast(values, fmt, saturate))
