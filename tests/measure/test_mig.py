"""The MIG experiment on made-up NVMLs: MIG on, off, and answers refused."""

import inspect
import json
from types import SimpleNamespace

import pytest

from hopperlab.device.silicon.card import Card
from hopperlab.measure import mig as experiment
from hopperlab.measure.audit import Row
from hopperlab.measure.mig import MIG
from hopperlab.measure.progress import Progress
from hopperlab.models.mig import compute_sizes, compute_sms, profile, profiles

CARD = Card("NVIDIA H200", (9, 0), 132, 60 * 2**20, 141 * 10**9)
CHIP = "H200 SXM"


class NotSupportedError(Exception):
    """NVML's word for: not on this card."""


class InvalidArgumentError(Exception):
    """NVML's word for: no such index."""


class NoPermissionError(Exception):
    """NVML's word for: not you."""


class MadeUpNvml:
    """An NVML that answers from the model's table, and counts what it is asked.

    Anything that is not a question has no method here: a call of it would raise AttributeError.
    """

    NotSupportedError, InvalidArgumentError = NotSupportedError, InvalidArgumentError

    def __init__(self, *, mode=(0, 0), instances=(), may_place=True, lists=True, changes=None):
        self.mode, self.instances, self.may_place, self.lists = mode, instances, may_place, lists
        self.changes = changes or {}

    def device_get_mig_mode(self, device):
        if self.mode is None:
            raise NotSupportedError("Not Supported")
        return self.mode

    def device_get_gpu_instance_profile_info_v(self, device, index):
        if not self.lists:
            raise NotSupportedError("Not Supported")
        if index >= len(profiles(CHIP)):
            raise InvalidArgumentError("Invalid Argument")
        kind = profiles(CHIP)[index]
        answer = {
            "id": kind.number,
            "name": [ord(letter) for letter in f"MIG {kind.name}"] + [0, 0],
            "slice_count": kind.compute_slices,
            "instance_count": kind.max_instances,
            "multiprocessor_count": kind.sms,
            "copy_engine_count": kind.copy_engines,
            "decoder_count": kind.decoders,
            "jpeg_count": kind.jpeg_decoders,
            "ofa_count": kind.optical_flow,
            "memory_size_mb": round(1024 * kind.memory_gib),
        }
        return SimpleNamespace(**answer | self.changes.get(kind.name, {}))

    def device_get_gpu_instance_possible_placements_v2(self, device, number):
        if not self.may_place:
            raise NoPermissionError("Insufficient Permissions")
        kind = next(kind for kind in profiles(CHIP) if kind.number == number)
        return [SimpleNamespace(start=start, size_=kind.memory_slices) for start in kind.starts]

    def device_get_gpu_instances(self, device, number):
        return [(name, start) for name, start in self.instances if profile(name, CHIP).number == number]

    def gpu_instance_get_info(self, handle):
        return SimpleNamespace(placement=SimpleNamespace(start=handle[1]))

    def gpu_instance_get_compute_instance_profile_info_v(self, handle, index, engines):
        kind = profile(handle[0], CHIP)
        sizes = compute_sizes(kind)
        if index >= len(sizes):
            raise NotSupportedError("Not Supported")
        return SimpleNamespace(slice_count=sizes[index], multiprocessor_count=compute_sms(kind, sizes[index]))


def measured(monkeypatch, nvml, card=CARD):
    """A recording of a made-up NVML's answers, as it is after a journey through JSON."""
    monkeypatch.setattr(experiment, "nvml_of", lambda card: (nvml, "device"))
    samples = json.loads(json.dumps(MIG.run(card, Progress())))
    return SimpleNamespace(card_name=card.name, samples=samples, results=MIG.results(samples))


def test_a_card_that_lists_everything_is_held_against_the_model(monkeypatch):
    recording = measured(monkeypatch, MadeUpNvml())
    assert recording.results["mode"] == "off"
    assert recording.results["not_told"] == []
    assert recording.results["placements"]["9"] == [[0, 4], [4, 4]]
    found = MIG.compare([recording])
    assert (found.compared, found.mismatches) == (7 * 9, 0)
    assert [row.measured for row in found.rows if row.subject.startswith("SMs")] == [
        16, 16, 26, 32, 60, 64, 132,
    ]  # fmt: skip
    assert all(isinstance(row, Row) and row.legs == 3 and row.verdict == "agrees" for row in found.rows)


def test_a_driver_that_leaves_out_the_names_is_held_against_the_model_by_number(monkeypatch):
    recording = measured(monkeypatch, MadeUpNvml())
    for listed in recording.samples["profiles"]:
        listed["name"] = ""
    recording.card_name = "H200 SXM"  # as the ledger names a recorded card
    found = MIG.compare([recording])
    assert (found.compared, found.mismatches) == (7 * 9, 0)


def test_a_cut_card_lists_its_instances_and_their_compute_instances(monkeypatch):
    instances = (("3g.71gb", 4), ("1g.18gb", 0))
    recording = measured(monkeypatch, MadeUpNvml(mode=(1, 1), instances=instances))
    assert recording.results["mode"] == "on"
    assert sorted(recording.results["instances"]) == [[9, 4], [19, 0]]
    found = MIG.compare([recording])
    assert (found.compared, found.mismatches) == (7 * 9 + 3 + 1, 0)


def test_what_the_driver_refuses_is_recorded_and_told(monkeypatch):
    recording = measured(monkeypatch, MadeUpNvml(may_place=False))
    assert recording.results["placements"] == {}
    assert recording.results["not_told"] == ["placements: NoPermissionError: Insufficient Permissions"]
    found = MIG.compare([recording])
    assert (found.compared, found.mismatches) == (7 * 8, 0)
    assert any("Insufficient Permissions" in note for note in found.notes)


def test_a_card_without_mig_says_so(monkeypatch):
    recording = measured(monkeypatch, MadeUpNvml(mode=None, lists=False))
    assert recording.results["mode"] == "NotSupportedError: Not Supported"
    assert recording.results["profiles"] == {}
    assert recording.results["not_told"] == ["profiles: the driver lists none for this card in this mode"]
    found = MIG.compare([recording])
    assert (found.compared, found.mismatches, found.rows) == (0, 0, ())


def test_a_card_that_the_model_does_not_know_is_not_compared(monkeypatch):
    other = Card("Made-up H100", (9, 0), 132, 50 * 2**20, 80 * 2**30)
    found = MIG.compare([measured(monkeypatch, MadeUpNvml(), other)])
    assert found.compared == 0
    assert "Made-up H100: the model has no table of this card" in found.notes


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"multiprocessor_count": 48}, "sms: driver 48, model 60"),
        ({"memory_size_mb": 60_000}, "memory: driver 58.59 GiB, model 69.50 GiB"),
        ({"decoder_count": 0}, "decoders: driver 0, model 3"),
    ],
)
def test_every_difference_is_a_mismatch_and_told(monkeypatch, change, words):
    found = MIG.compare([measured(monkeypatch, MadeUpNvml(changes={"3g.71gb": change}))])
    assert found.mismatches == 1
    assert f"NVIDIA H200: 3g.71gb: {words}" in found.notes


def test_a_profile_that_the_model_lacks_is_told_and_not_counted(monkeypatch):
    change = {"id": 47, "name": "MIG 1g.18gb+gfx"}
    nvml = MadeUpNvml(changes={"1g.18gb+me": change}, may_place=False)
    found = MIG.compare([measured(monkeypatch, nvml)])
    assert (found.compared, found.mismatches) == (6 * 8, 0)
    assert any("1g.18gb+gfx, which the model does not have" in note for note in found.notes)


def test_the_experiment_calls_nothing_that_changes_a_card():
    source = inspect.getsource(experiment)
    for verb in ("create_gpu", "set_mig", "destroy", "reset("):
        assert verb not in source
