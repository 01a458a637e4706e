"""Recordings: what is sound is read whole; what is not is refused by file, field, what was found, what may be."""

import copy
import json
import math
import os
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hopperlab.chip import chip
from hopperlab.ledger import (
    SCHEMA,
    Recording,
    RecordingError,
    load_recording,
    recordings,
    validate_recording,
)
from hopperlab.ledger.recordings import FOLDER_VARIABLE

READING = {
    "sm_mhz": 1980,
    "memory_mhz": 3201,
    "temperature_c": 35,
    "power_w": 120.5,
    "throttle_reasons": ["gpu_idle"],
}

SOUND = {
    "schema": SCHEMA,
    "experiment": "gpc_map",
    "card": {
        "name": "NVIDIA H200",
        "slug": "nvidia-h200",
        "compute_capability": [9, 0],
        "sms": 4,
        "l2_bytes": 62914560,
        "memory_bytes": 150754820096,
    },
    "gpc_map": [[0, 1], [2], [3]],
    "software": {
        "driver": "580.82.07",
        "cuda": "13.0",
        "python": "3.11.9",
        "numba": "0.68.0",
        "numba_cuda": "0.30.4",
        "numpy": "2.4.6",
        "hopperlab": "0.1.0",
    },
    "clocks": {"before": READING, "after": READING | {"power_w": None, "throttle_reasons": None}},
    "date": "2026-01-31T12:00:00+00:00",
    "parameters": {"sizes": [1, 2]},
    "statistic": "groups united",
    "samples": {"clusters": [[0, 1]]},
    "results": {"groups": [[0, 1], [2], [3]]},
}


def changed(path: str, value: Any) -> dict[str, Any]:
    """A sound recording with one field, named with dots, set to another value."""
    document = copy.deepcopy(SOUND)
    *parents, last = path.split(".")
    place = document
    for name in parents:
        place = place[name]
    place[last] = value
    return document


def write(folder: Path, document: Any, name: str = "gpc_map", card: str = "nvidia-h200") -> Path:
    """A file where a recording may lie, holding that document or, if it is a text, just that."""
    path = folder / card / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
    return path


def test_a_sound_recording_is_read_whole(tmp_path: Path) -> None:
    recording = load_recording(write(tmp_path, SOUND))
    assert isinstance(recording, Recording)
    assert recording.experiment == "gpc_map"
    assert recording.card.compute_capability == (9, 0)
    assert recording.gpc_map == ((0, 1), (2,), (3,))
    assert recording.date == datetime(2026, 1, 31, 12, tzinfo=UTC)
    for field in ("software", "clocks", "parameters", "statistic", "samples", "results"):
        assert getattr(recording, field) == SOUND[field]


def test_a_recording_knows_its_chip_and_says_where_it_is_from(tmp_path: Path) -> None:
    recording = load_recording(write(tmp_path, SOUND))
    assert recording.chip is chip("H200 SXM")
    assert recording.card_name == "H200 SXM"
    assert recording.provenance == "NVIDIA H200, driver 580.82.07, CUDA 13.0, 2026-01-31"


def test_a_card_without_a_sheet_keeps_its_drivers_name(tmp_path: Path) -> None:
    document = changed("card.name", "NVIDIA H200 NVL")
    document["card"]["slug"] = "nvidia-h200-nvl"
    recording = load_recording(write(tmp_path, document, card="nvidia-h200-nvl"))
    assert recording.chip is None
    assert recording.card_name == "NVIDIA H200 NVL"


def test_reading_a_recording_leaves_its_file_as_it_was(tmp_path: Path) -> None:
    for document in (SOUND, "{ damaged", changed("schema", 2)):
        path = write(tmp_path, document)
        before = path.read_bytes()
        with suppress(RecordingError):
            load_recording(path)
        assert path.read_bytes() == before


PROVENANCE = (
    *("schema", "experiment", "card", "gpc_map", "software", "clocks", "date", "parameters", "statistic"),
    *("samples", "results", "card.name", "card.slug", "card.compute_capability", "card.sms", "card.l2_bytes"),
    *("card.memory_bytes", "software.driver", "software.cuda", "software.python", "software.numba"),
    *("software.numba_cuda", "software.numpy", "software.hopperlab", "clocks.before", "clocks.after"),
    *("clocks.before.sm_mhz", "clocks.after.throttle_reasons"),
)


@pytest.mark.parametrize("field", PROVENANCE)
def test_every_field_of_the_provenance_is_required(field: str) -> None:
    document = copy.deepcopy(SOUND)
    *parents, last = field.split(".")
    place = document
    for name in parents:
        place = place[name]
    del place[last]
    with pytest.raises(RecordingError, match=f"^{field}: missing; it must be there$"):
        validate_recording(document)


WRONG = [
    ("schema", 2, "found 2; it must be 1, the version"),
    ("schema", "1", "found '1'; it must be 1"),
    ("schema", True, "found True; it must be 1"),
    ("schema", None, "found None; it must be 1"),
    ("experiment", "", "found ''; it must be a text that is not empty"),
    ("experiment", 7, "found 7; it must be a text"),
    ("card", "NVIDIA H200", "found 'NVIDIA H200'; it must be an object"),
    ("card.sms", 0, "found 0; it must be a whole number from 1"),
    ("card.sms", 132.0, "found 132.0; it must be a whole number from 1"),
    ("card.sms", True, "found True; it must be a whole number from 1"),
    ("card.name", "  ", "found '  '; it must be a text"),
    ("card.compute_capability", [9], "must be two whole numbers"),
    ("card.compute_capability", "9.0", "must be two whole numbers"),
    ("gpc_map", [0, 1], "a list"),
    ("gpc_map", [[-1]], "must be a whole number from 0"),
    ("software.driver", "", "must be a text"),
    ("software.driver", None, "must be a text"),
    ("clocks.before.sm_mhz", "fast", "must be a number"),
    ("clocks.before.throttle_reasons", "none", "must be a list"),
    ("clocks.before.throttle_reasons", [1], "must be a text"),
    ("date", "yesterday", "must be a date and time of ISO 8601 in UTC"),
    ("date", "2026-01-31T12:00:00", "must be a date and time of ISO 8601 in UTC"),
    ("date", "2026-01-31T12:00:00+02:00", "it must be in UTC"),
    ("date", 1769860800, "must be a date"),
    ("parameters", [], "must be an object"),
    ("samples", [], "must be an object or list, not empty"),
    ("samples", "many", "must be an object or list, not empty"),
    ("results", {}, "must be an object or list, not empty"),
    ("comment", "mine", "unknown; there may be schema, experiment"),
    ("card.serial", "123", "unknown; there may be name, slug"),
]


@pytest.mark.parametrize(("field", "value", "told"), WRONG, ids=lambda item: str(item)[:30])
def test_what_is_wrong_is_told_by_field_by_what_was_found_and_by_what_may_be(
    field: str, value: Any, told: str
) -> None:
    with pytest.raises(RecordingError) as refusal:
        validate_recording(changed(field, value))
    assert str(refusal.value).startswith(field)
    assert told in str(refusal.value)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("place", ["samples", "results", "parameters"])
def test_a_number_that_is_not_finite_is_refused_where_it_stands(place: str, value: float) -> None:
    with pytest.raises(
        RecordingError, match=rf"^{place}\.rows\[1\]\.ms: found .*; every number must be finite$"
    ):
        validate_recording(changed(place, {"rows": [{"ms": 1.0}, {"ms": value}]}))


@pytest.mark.parametrize("document", [None, 7, "text", [], [SOUND], {}])
def test_what_is_no_recording_at_all_is_refused(document: Any) -> None:
    with pytest.raises(RecordingError):
        validate_recording(document)


@pytest.mark.parametrize(
    ("groups", "told"),
    [([[0, 1], [1]], r"gpc_map\[1\]: found SM 1"), ([[4]], r"gpc_map\[0\]: found SM 4; each of 0 to 3 once")],
)
def test_an_sm_is_in_one_gpc_of_its_card(groups: list, told: str) -> None:
    with pytest.raises(RecordingError, match=told):
        validate_recording(changed("gpc_map", groups))


def test_a_recording_without_a_map_or_with_part_of_one_is_sound() -> None:
    validate_recording(changed("gpc_map", None))
    validate_recording(changed("gpc_map", [[0, 1]]))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(field=st.sampled_from(PROVENANCE), value=json_values)
def test_any_value_in_any_field_is_taken_or_refused_with_that_fields_name(field: str, value: Any) -> None:
    told = ""
    try:
        validate_recording(changed(field, value))
    except RecordingError as refusal:
        told = str(refusal)
    assert told == "" or told.startswith(field.partition(".")[0])


DAMAGED = [
    ("", "damaged JSON in line 1, column 1"),
    ("{", "damaged JSON"),
    (json.dumps(SOUND)[:-20], "damaged JSON"),
    ('{"schema": 1, "schema": 1}', "schema: found twice"),
    ('{"schema": NaN}', "found NaN; every number must be finite"),
    ('{"schema": Infinity}', "found Infinity"),
    ("[]", "the recording: found \\[\\]; it must be an object"),
    ("null", "the recording: found None"),
]


@pytest.mark.parametrize(("text", "told"), DAMAGED)
def test_a_damaged_file_is_named_with_the_place_of_the_damage(tmp_path: Path, text: str, told: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(RecordingError, match=told) as refusal:
        load_recording(path)
    assert str(refusal.value).startswith(str(path))


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, "")
    path.write_bytes(b"\xff\xfe\x00{")
    with pytest.raises(RecordingError, match="cannot be read: it is not UTF-8 text"):
        load_recording(path)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match=r"gpc_map\.json: cannot be read: No such file"):
        load_recording(tmp_path / "nvidia-h200" / "gpc_map.json")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, SOUND)
    path.chmod(0)
    with pytest.raises(RecordingError, match="cannot be read: Permission denied"):
        load_recording(path)


def test_a_recording_under_another_experiments_name_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, SOUND, name="cluster_occupancy")
    told = "experiment: found 'gpc_map'; where the file lies it must be 'cluster_occupancy'"
    with pytest.raises(RecordingError, match=told):
        load_recording(path)


def test_a_recording_from_another_card_than_its_folder_names_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, SOUND, card="nvidia-h100-pcie")
    told = "slug: found 'nvidia-h200'; where the file lies it must be 'nvidia-h100-pcie'"
    with pytest.raises(RecordingError, match=told):
        load_recording(path)


def test_recordings_of_ones_own_come_after_the_shipped_ones(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.delenv(FOLDER_VARIABLE, raising=False)
    shipped = recordings()
    write(tmp_path, SOUND)
    (tmp_path / "nvidia-h200" / "gpc_map.partial").write_text("not finished")
    (tmp_path / "notes.txt").write_text("not a card")
    own = load_recording(tmp_path / "nvidia-h200" / "gpc_map.json")
    assert recordings(directory=tmp_path) == (*shipped, own)
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    assert recordings() == (*shipped, own)


@pytest.mark.parametrize("card", ["H200 SXM", "NVIDIA H200", "nvidia-h200"])
def test_recordings_are_chosen_by_experiment_and_by_any_name_of_the_card(tmp_path: Path, card: str) -> None:
    write(tmp_path, SOUND)
    write(tmp_path, changed("experiment", "other"), name="other")
    own = load_recording(tmp_path / "nvidia-h200" / "gpc_map.json")
    assert own in recordings("gpc_map", card, directory=tmp_path)
    assert {one.experiment for one in recordings("gpc_map", card, directory=tmp_path)} == {"gpc_map"}
    assert own not in recordings("gpc_map", "H100 PCIe", directory=tmp_path)
    assert recordings("none", directory=tmp_path) == ()


def test_another_experiments_damage_does_not_hide_a_sound_recording(tmp_path: Path) -> None:
    write(tmp_path, SOUND)
    write(tmp_path, "{", name="other")
    assert recordings("gpc_map", directory=tmp_path)
    with pytest.raises(RecordingError, match=r"other\.json: damaged JSON"):
        recordings(directory=tmp_path)


def test_a_missing_folder_of_ones_own_is_told_with_who_named_it(tmp_path: Path, monkeypatch) -> None:
    with pytest.raises(RecordingError, match=r"directory='.*nowhere' is no folder"):
        recordings(directory=tmp_path / "nowhere")
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "nowhere"))
    with pytest.raises(RecordingError, match=f"{FOLDER_VARIABLE}='.*nowhere' is no folder"):
        recordings()
