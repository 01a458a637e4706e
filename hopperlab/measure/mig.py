"""What the driver says of MIG on this card: its mode, and what it could be cut into. Read, never changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from hopperlab.chip import chip_of_card
from hopperlab.measure.condition import nvml_of
from hopperlab.measure.experiment import Experiment
from hopperlab.models.mig import CHIPS, Profile, compute_sizes, compute_sms, profiles

if TYPE_CHECKING:
    from hopperlab.device.silicon.card import Card
    from hopperlab.ledger import Recording
    from hopperlab.measure.audit import Comparison, Row
    from hopperlab.measure.progress import Progress

MIB_PER_GIB = 1024
PROFILE_INDICES = range(32)  # NVML_GPU_INSTANCE_PROFILE_*: more than there are; what is none is refused
COMPUTE_INDICES = range(16)  # NVML_COMPUTE_INSTANCE_PROFILE_*, likewise
SHARED_ENGINES = 0  # NVML_COMPUTE_INSTANCE_ENGINE_PROFILE_SHARED

MEMORY_TOLERANCE = 0.02
"""How far a driver's memory of an instance may be from the table: drivers differ by a percent (mig-010.n)."""

FIELDS = {
    "multiprocessor_count": "sms",
    "instance_count": "max_instances",
    "copy_engine_count": "copy_engines",
    "decoder_count": "decoders",
    "jpeg_count": "jpeg_decoders",
    "ofa_count": "optical_flow",
}
"""NVML's names of what a profile has, and the model's."""


def run(card: Card, progress: Progress) -> dict[str, Any]:
    """Ask NVML for the MIG mode, the profiles, their placements and the instances that there are.

    What the driver refuses is kept as ``{"refused": why}``: where MIG is off, or for want of rights.
    """
    nvml, device = nvml_of(card)
    listed = [_profile(nvml, device, index) for index in PROFILE_INDICES]
    listed = [one for one in listed if one is not None]
    return {
        "mode": _asked(lambda: [int(mode) for mode in nvml.device_get_mig_mode(device)]),
        "profiles": [one for one in listed if "refused" not in one],
        "profiles_refused": [one["refused"] for one in listed if "refused" in one],
        "instances": [
            one for entry in listed if "number" in entry for one in _instances(nvml, device, entry["number"])
        ],
    }


def _asked(question: Callable[[], Any]) -> Any:
    """The answer, or why the driver gives none."""
    try:
        return question()
    except Exception as error:
        return {"refused": f"{type(error).__name__}: {error}"}


def _profile(nvml: Any, device: Any, index: int) -> dict[str, Any] | None:
    """One profile with its placements; None where there is none of that index, or not on this card."""
    try:
        info = nvml.device_get_gpu_instance_profile_info_v(device, index)
    except (nvml.NotSupportedError, nvml.InvalidArgumentError):
        return None
    except Exception as error:
        return {"refused": f"{type(error).__name__}: {error}"}
    number = int(info.id)
    return {
        "number": number,
        "name": _text(info.name).removeprefix("MIG "),
        "slice_count": int(info.slice_count),
        "memory_mib": int(info.memory_size_mb),
        **{field: int(getattr(info, field)) for field in FIELDS},
        "placements": _asked(lambda: _placements(nvml, device, number)),
    }


def _placements(nvml: Any, device: Any, number: int) -> list[list[int]]:
    """Every place of a profile as [start, size] in memory slices."""
    found = nvml.device_get_gpu_instance_possible_placements_v2(device, number)
    return sorted([int(one.start), int(one.size_)] for one in found)


def _instances(nvml: Any, device: Any, number: int) -> Iterator[dict[str, Any]]:
    """The GPU instances of one profile that exist, each with what it could be cut into."""
    handles = _asked(lambda: list(nvml.device_get_gpu_instances(device, number)))
    for handle in handles if isinstance(handles, list) else ():
        info = nvml.gpu_instance_get_info(handle)
        compute = [_compute_profile(nvml, handle, index) for index in COMPUTE_INDICES]
        yield {
            "number": number,
            "start": int(info.placement.start),
            "compute": [one for one in compute if one is not None],
        }


def _compute_profile(nvml: Any, handle: Any, index: int) -> list[int] | None:
    """Slices and SMs of one kind of compute instance; None where there is none of that index."""
    try:
        info = nvml.gpu_instance_get_compute_instance_profile_info_v(handle, index, SHARED_ENGINES)
    except Exception:
        return None
    return [int(info.slice_count), int(info.multiprocessor_count)]


def _text(name: Any) -> str:
    """NVML's text, which comes as text or as its bytes, one a number."""
    return name if isinstance(name, str) else bytes(byte & 0xFF for byte in name).decode().rstrip("\0")


def results(samples: dict[str, Any]) -> dict[str, Any]:
    """Say the mode in words, and tell profiles, placements and instances by the number of their profile.

    Drivers do not always fill in a profile's name; its number is the driver's own key.
    """
    mode, listed = samples["mode"], samples["profiles"]
    placed = {str(one["number"]): one["placements"] for one in listed if isinstance(one["placements"], list)}
    return {
        "mode": mode["refused"] if isinstance(mode, dict) else "on" if mode[0] else "off",
        "profiles": {str(one["number"]): [one["name"], one["memory_mib"], *_counts(one)] for one in listed},
        "columns": ["name", "memory_mib", *FIELDS],
        "placements": placed,
        "not_told": _not_told(samples),
        "instances": [[one["number"], one["start"]] for one in samples["instances"]],
    }


def _counts(listed: dict[str, Any]) -> list[int]:
    return [listed[field] for field in FIELDS]


def _not_told(samples: dict[str, Any]) -> list[str]:
    """What the driver did not answer, each once."""
    refused = [*samples["profiles_refused"]]
    refused += [
        f"placements: {one['placements']['refused']}"
        for one in samples["profiles"]
        if isinstance(one["placements"], dict)
    ]
    if not samples["profiles"] and not refused:
        refused.append("profiles: the driver lists none for this card in this mode")
    return list(dict.fromkeys(refused))


def compare(recordings: Sequence[Recording]) -> Comparison:
    """Set the model's table beside what the driver lists, profile by profile; what it did not tell is noted."""
    from hopperlab.measure.audit import Comparison

    rows: list[Row] = []
    notes: list[str] = []
    compared = mismatches = 0
    for recording in recordings:
        card, samples = recording.card_name, recording.samples
        said = [f"MIG is {recording.results['mode']}; the mode was read, not changed"]
        said += [f"not told: {words}" for words in recording.results["not_told"]]
        kinds = _model_of(card)
        if not kinds:
            said.append("the model has no table of this card")
        for listed in samples["profiles"] if kinds else ():
            kind = kinds.get(listed["number"])
            if kind is None:
                said.append(f"the driver also lists {listed['name']}, which the model does not have")
                continue
            rows += _rows(kind, listed, card)
            wrong = list(_differences(kind, listed))
            compared += len(FIELDS) + 2 + isinstance(listed["placements"], list)  # name and memory besides
            mismatches += len(wrong)
            said += [f"{kind.name}: {words}" for words in wrong]
        for instance in samples["instances"] if kinds else ():
            wrong = list(_compute_differences(kinds.get(instance["number"]), instance["compute"]))
            compared += len(instance["compute"])
            mismatches += len(wrong)
            said += wrong
        notes += [f"{card}: {words}" for words in said]
    cards = ", ".join(sorted({recording.card_name for recording in recordings}))
    return Comparison("mig", cards, compared, mismatches, tuple(rows), tuple(notes))


def _model_of(card: str) -> dict[int, Profile]:
    """The model's profiles of a card by their numbers; none where it has no table of the card."""
    sheet = chip_of_card(card)
    name = card if sheet is None else sheet.name
    return {kind.number: kind for kind in profiles(name)} if name in CHIPS else {}


def _rows(kind: Profile, listed: dict[str, Any], card: str) -> Iterator[Row]:
    from hopperlab.measure.audit import Row

    yield Row(
        "mig",
        f"SMs of a {kind.name} instance",
        kind.sms_claim,
        modelled=kind.sms,
        measured=listed["multiprocessor_count"],
        card=card,
        tolerance=0,
    )
    yield Row(
        "mig",
        f"Memory of a {kind.name} instance",
        kind.memory_claim,
        modelled=kind.memory_gib,
        measured=listed["memory_mib"] / MIB_PER_GIB,
        card=card,
        tolerance=MEMORY_TOLERANCE,
    )


def _differences(kind: Profile, listed: dict[str, Any]) -> Iterator[str]:
    """What the driver says of a profile that the model does not, in words."""
    if listed["name"] and listed["name"] != kind.name:
        yield f"the driver calls it {listed['name']}"
    for field, name in FIELDS.items():
        if listed[field] != getattr(kind, name):
            yield f"{name}: driver {listed[field]}, model {getattr(kind, name)}"
    gib = listed["memory_mib"] / MIB_PER_GIB
    if abs(gib - kind.memory_gib) > MEMORY_TOLERANCE * gib:
        yield f"memory: driver {gib:.2f} GiB, model {kind.memory_gib:.2f} GiB"
    if isinstance(listed["placements"], list):
        modelled = [[start, kind.memory_slices] for start in kind.starts]
        if listed["placements"] != modelled:
            yield f"placements: driver {listed['placements']}, model {modelled}"


def _compute_differences(kind: Profile | None, listed: Sequence[Sequence[int]]) -> Iterator[str]:
    """Compute instances of a GPU instance whose SMs are not the model's, in words."""
    for slices, sms in listed if kind else ():
        modelled = compute_sms(kind, slices) if slices in compute_sizes(kind) else None
        if modelled != sms:
            yield f"{slices}c.{kind.name}: driver {sms} SMs, model {modelled}"


MIG = Experiment(
    name="mig",
    theme="mig",
    question="Is MIG on, and which instances could this card be cut into, by its driver?",
    statistic="answers of NVML as they are; nothing is timed and nothing is changed",
    parameters={
        "profile_indices": len(PROFILE_INDICES),
        "compute_indices": len(COMPUTE_INDICES),
        "engines": "shared",
    },
    claims=("mig-003", "mig-009", "mig-012.a", "mig-012.e", "mig-012.g", "talk-076"),
    run=run,
    results=results,
    compare=compare,
    seconds=1,
)

EXPERIMENTS = (MIG,)
