"""The tensor memory accelerator: descriptors and their rules, copies, swizzle, banks and instructions."""

from hopperlab.models.tma.access import ACCESSES, warp_access
from hopperlab.models.tma.bandwidth import (
    Stream,
    bytes_in_flight,
    copy_cycles,
    fit_stream,
    loop_bandwidth,
)
from hopperlab.models.tma.banks import BankConflicts, bank_conflicts
from hopperlab.models.tma.copy import NAN_HALFWORD, delivered, fill_value, load, multicast, store
from hopperlab.models.tma.descriptor import (
    Descriptor,
    ElementType,
    Fill,
    Interleave,
    L2Promotion,
    Swizzle,
    describe,
)
from hopperlab.models.tma.footprint import Footprint, footprint, global_addresses, row_bytes, tile_bytes
from hopperlab.models.tma.instructions import (
    CopyCost,
    check_bulk_copy,
    cp_async_instructions,
    load_store_instructions,
    tensor_copy_instructions,
)
from hopperlab.models.tma.reduction import reduce
from hopperlab.models.tma.rules import ADVICE, RULES, Refusal, Rule, check, refusals, rule
from hopperlab.models.tma.sampling import accepted_descriptor, random_descriptor, refused_descriptor
from hopperlab.models.tma.swizzle import swizzle_offset, swizzle_period, unswizzle_offset

__all__ = [
    "ACCESSES",
    "ADVICE",
    "NAN_HALFWORD",
    "RULES",
    "BankConflicts",
    "CopyCost",
    "Descriptor",
    "ElementType",
    "Fill",
    "Footprint",
    "Interleave",
    "L2Promotion",
    "Refusal",
    "Rule",
    "Stream",
    "Swizzle",
    "accepted_descriptor",
    "bank_conflicts",
    "bytes_in_flight",
    "check",
    "check_bulk_copy",
    "copy_cycles",
    "cp_async_instructions",
    "delivered",
    "describe",
    "fill_value",
    "fit_stream",
    "footprint",
    "global_addresses",
    "load",
    "load_store_instructions",
    "loop_bandwidth",
    "multicast",
    "random_descriptor",
    "reduce",
    "refusals",
    "refused_descriptor",
    "row_bytes",
    "rule",
    "store",
    "swizzle_offset",
    "swizzle_period",
    "tensor_copy_instructions",
    "tile_bytes",
    "unswizzle_offset",
    "warp_access",
]
