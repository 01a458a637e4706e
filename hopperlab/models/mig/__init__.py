"""Multi-Instance GPU: how one card is cut into instances that tenants can hold apart.

``is_valid`` and ``explain`` answer whether a layout fits; ``place`` serves requests as the driver does;
``leftovers`` says what is stranded; ``instance_ratio`` checks the talk's "3x and 2x per instance".
"""

from hopperlab.models.mig.compute import ComputeInstance, compute_sizes, compute_sms, place_compute
from hopperlab.models.mig.driver import Board, InsufficientResources, Placing, Request, orders_refused, place
from hopperlab.models.mig.generations import InstanceRatio, instance_ratio
from hopperlab.models.mig.isolation import (
    SHARED,
    VirtualFunction,
    memory_bandwidth,
    shared_between,
    virtual_functions,
)
from hopperlab.models.mig.leftovers import Leftovers, Share, leftovers, sms_lost
from hopperlab.models.mig.placement import (
    Instance,
    Verdict,
    explain,
    free_starts,
    is_valid,
    maximal_layouts,
    placements,
)
from hopperlab.models.mig.profiles import (
    CHIPS,
    COMPUTE_SLICES,
    MEMORY_SLICES,
    MOCK_H100_SMS,
    Profile,
    base_profiles,
    profile,
    profiles,
)
from hopperlab.models.mig.repack import Move, Repacking, make_room
from hopperlab.models.mig.tenants import POLICIES, Schedule, Stay, Tenant, serve

__all__ = [
    "CHIPS",
    "COMPUTE_SLICES",
    "MEMORY_SLICES",
    "MOCK_H100_SMS",
    "POLICIES",
    "SHARED",
    "Board",
    "ComputeInstance",
    "Instance",
    "InstanceRatio",
    "InsufficientResources",
    "Leftovers",
    "Move",
    "Placing",
    "Profile",
    "Repacking",
    "Request",
    "Schedule",
    "Share",
    "Stay",
    "Tenant",
    "Verdict",
    "VirtualFunction",
    "base_profiles",
    "compute_sizes",
    "compute_sms",
    "explain",
    "free_starts",
    "instance_ratio",
    "is_valid",
    "leftovers",
    "make_room",
    "maximal_layouts",
    "memory_bandwidth",
    "orders_refused",
    "place",
    "place_compute",
    "placements",
    "profile",
    "profiles",
    "serve",
    "shared_between",
    "sms_lost",
    "virtual_functions",
]
