"""The pictures of lesson 01 and their twins."""

from hopperlab.chip import chip
from hopperlab.models.chip import FACTORS, WORKLOADS, gain, harvest
from hopperlab.models.roofline import roofline
from hopperlab.views import chip as views


def test_a_factor_counts_idles_bounces_or_is_not_spent_and_says_why():
    alignment = next(one for one in WORKLOADS if "integers" in one.name)
    spent = [name for name in FACTORS if name != "clock"]
    picture = views.spending(alignment, spent, gain(alignment, spent))
    assert "more SMs 1.22: counts" in picture.text
    assert "clock 1.40: not spent" in picture.text
    assert "eight bits 2.00: bounces: its results need more than three bits of mantissa" in picture.text
    assert "memory 2.16: idle: arithmetic is the limit" in picture.text
    assert picture.title.startswith("Sequence alignment, 32-bit integers: 1.22 times")


def test_harvests_draw_every_part_of_the_die():
    picture = views.harvests([harvest("H100 PCIe")])
    assert picture.svg.count("M") >= 144
    assert "114 of 144 SMs; 5 of 6 HBM sites; 50 of 60 MiB of L2; 2.04 TB/s" in picture.text


def test_the_extension_tells_the_chosen_size():
    picture = views.extension([10, 20, 30], {"a link": [5, 4, 3]}, 20)
    assert picture.title == "20 GB of data: 4 GB/s over a link (modelled)"
    assert picture.svg.count("<circle") == 1


def test_a_program_stands_on_every_roof():
    roofs = [roofline(chip(name), "fp16") for name in ("H100 SXM5", "A100 SXM4 40GB")]
    picture = views.on_roofs(roofs, 100)
    assert picture.title == "100 FLOP a byte on H100 SXM5, fp16: 335.2 TFLOP/s, memory is the limit"
    assert picture.svg.count("<circle") == 2
    assert "A100 SXM4 40GB, fp16: 155.5 TFLOP/s" in picture.text
