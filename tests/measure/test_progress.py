"""Sweeps: in order, resumable after any interruption, never resumed on another card."""

import io

import pytest

from hopperlab.measure.progress import Progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_samples_come_in_the_order_of_the_cases():
    assert Progress().map("squares", [3, 1, 2], lambda n: n * n) == [9, 1, 4]


@pytest.mark.parametrize("blow", [KeyboardInterrupt, RuntimeError])
def test_an_interrupted_sweep_goes_on_where_it_stopped(tmp_path, blow):
    kept, sampled = tmp_path / "sweep.partial", []

    def sample(case):
        if len(sampled) == 3:
            raise blow
        sampled.append(case)
        return [case]

    with pytest.raises(blow):
        Progress(kept, "card").map("s", range(5), sample)
    sampled.clear()
    again = Progress(kept, "card")
    assert again.map("s", range(5), sample) == [[0], [1], [2], [3], [4]]
    assert sampled == [3, 4]
    again.finish()
    assert not kept.exists()


def test_samples_of_another_card_or_of_a_damaged_file_are_not_used(tmp_path):
    kept = tmp_path / "sweep.partial"
    Progress(kept, ["one", (1, 2)]).map("s", [1], lambda _: "old")
    assert Progress(kept, ["one", (1, 2)]).map("s", [1], lambda _: "new") == ["old"]
    assert Progress(kept, ["two", (1, 2)]).map("s", [1], lambda _: "new") == ["new"]
    kept.write_text("{")
    assert Progress(kept, ["two", (1, 2)]).map("s", [1], lambda _: "newer") == ["newer"]


def test_stages_do_not_mix():
    progress = Progress()
    assert progress.map("a", [1], lambda _: "a") == ["a"]
    assert progress.map("b", [1], lambda _: "b") == ["b"]


def test_a_bar_is_drawn_on_a_terminal_only():
    terminal, file = Terminal(), io.StringIO()
    Progress(screen=terminal).map("sweep", range(4), abs)
    Progress(screen=file).map("sweep", range(4), abs)
    assert terminal.getvalue().endswith("4/4\n")
    assert file.getvalue() == ""
