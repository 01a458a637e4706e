"""What ptxas makes of FP8 instructions for Hopper: the structure of two units, read from their machine code."""

import re
import shutil
import subprocess
from importlib.metadata import PackageNotFoundError, files

import pytest

from hopperlab.models.tensorcore import UNITS

PTX = """
.version 8.7
.target sm_90a
.address_size 64
.visible .entry kernel(.param .u64 out, .param .u64 in) {{
    .reg .b64 %rd<2>;
    .reg .b32 %a<4>, %b<2>;
    .reg {register} %c<{count}>, %d<{count}>;
    ld.param.u64 %rd0, [out];
    ld.param.u64 %rd1, [in];
    ld.global.v4.b32 {{%a0, %a1, %a2, %a3}}, [%rd1];
    ld.global.v2.b32 {{%b0, %b1}}, [%rd1+16];
{loads}
    mma.sync.aligned.m16n8k32.row.col.{type}.{a}.{b}.{type} {{{d}}}, {{%a0, %a1, %a2, %a3}}, {{%b0, %b1}}, {{{c}}};
{stores}
    ret;
}}
"""


def tool(name):
    """Path of a tool of the CUDA wheels, or of one on the PATH."""
    for package in ("nvidia-cuda-nvcc", "nvidia-cuda-nvdisasm"):
        try:
            found = [f.locate() for f in files(package) or [] if f.name == name]
        except PackageNotFoundError:
            continue
        if found:
            return str(found[0])
    return shutil.which(name)


def machine_code(kind, a, b, folder):
    """Instructions that one mma.sync becomes on sm_90a, without loads, stores and addresses."""
    ptxas, disassembler = tool("ptxas"), tool("nvdisasm")
    if not (ptxas and disassembler):
        pytest.skip("needs ptxas and nvdisasm: the extra `sass`")
    count, register = (4, ".f32") if kind == "f32" else (2, ".b32")
    names = {r: [f"%{r}{i}" for i in range(count)] for r in "cd"}
    ptx = PTX.format(
        type=kind,
        a=a,
        b=b,
        register=register,
        count=count,
        c=", ".join(names["c"]),
        d=", ".join(names["d"]),
        loads="\n".join(
            f"    ld.global{register} {n}, [%rd1+{32 + 4 * i}];" for i, n in enumerate(names["c"])
        ),
        stores="\n".join(f"    st.global{register} [%rd0+{4 * i}], {n};" for i, n in enumerate(names["d"])),
    )
    (folder / "kernel.ptx").write_text(ptx)
    cubin = folder / "kernel.cubin"
    subprocess.run([ptxas, "-arch=sm_90a", folder / "kernel.ptx", "-o", cubin], check=True)
    text = subprocess.run([disassembler, "-c", cubin], check=True, capture_output=True, text=True).stdout
    lines = re.findall(r"/\*[0-9a-f]{4}\*/\s+(.*?)\s*;", text)
    return [line for line in lines if re.match(r"F2FP|[HQ]MMA|F?H?ADD", line)]


F32, F16 = ("f32", "HMMA.16816.F32", "FADD"), ("f16", "HMMA.16816.F16", "HADD2")


@pytest.mark.parametrize(
    ("a", "b", "kind", "instruction", "addition"),
    [("e4m3", "e4m3", *F32), ("e4m3", "e5m2", *F32), ("e5m2", "e5m2", *F32), ("e4m3", "e4m3", *F16)],
)
def test_mma_sync_for_fp8_becomes_two_fp16_instructions_from_zero_and_a_late_add(
    a, b, kind, instruction, addition, tmp_path
):
    code = machine_code(kind, a, b, tmp_path)
    products = [line for line in code if "MMA" in line]
    assert [line.split()[0] for line in products] == [instruction] * 2
    assert products[0].endswith("RZ")  # the first starts from zero
    registers = [re.findall(r"R\d+", line) for line in products]
    assert registers[1][-1] == registers[0][0]  # the second starts from the first
    additions = [i for i, line in enumerate(code) if line.startswith(addition)]
    assert len(additions) == (4 if kind == "f32" else 2)
    assert min(additions) > code.index(products[1])

    # The low half of a register holds k % 4 in {0, 1}: unpacked without .H1, and multiplied first.
    unpacked = {re.search(r"R\d+", line)[0]: ".H1" in line for line in code[: code.index(products[0])]}
    assert [unpacked[registers[0][i]] for i in (1, 2)] == [False, False]

    unit = UNITS[
        ".".join(["hopper.mma", a, *([b] if b != a else []), *(["acc_f16"] if kind == "f16" else [])])
    ]
    assert unit.interleaved
    assert unit.late_accumulator
    assert (unit.instruction_k, unit.block) == (32, 16)
