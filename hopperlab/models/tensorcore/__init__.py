"""Tensor cores to the bit: units, one block explained, whole products, sparsity, and what follows a product."""

from hopperlab.models.tensorcore.block import Block, Term, explain_block
from hopperlab.models.tensorcore.epilogue import Finished, epilogue
from hopperlab.models.tensorcore.probes import PROBES, Probe
from hopperlab.models.tensorcore.product import matmul
from hopperlab.models.tensorcore.sparsity import Compressed, compress, sparse_matmul
from hopperlab.models.tensorcore.units import UNITS, Unit, unit_named

__all__ = [
    "PROBES",
    "UNITS",
    "Block",
    "Compressed",
    "Finished",
    "Probe",
    "Term",
    "Unit",
    "compress",
    "epilogue",
    "explain_block",
    "matmul",
    "sparse_matmul",
    "unit_named",
]
