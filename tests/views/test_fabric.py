"""Pictures of fabrics, recommenders, addresses and tenants: every mark is counted, every picture has its words."""

import re

import pytest

from hopperlab.models import addressing, recommender, sharp_tenancy
from hopperlab.models.fabric import TOPOLOGIES, cut, job, simulate, split_of, topology, two_tiers
from hopperlab.views import addressing as address_views
from hopperlab.views import fabric as views
from hopperlab.views import sharp_tenancy as tenancy_views
from hopperlab.views.recommender import placed_tables, step_times


@pytest.mark.parametrize("name", sorted(TOPOLOGIES))
def test_a_pod_draws_every_gpu_on_its_side_and_says_what_crosses(name):
    graph = topology(name)
    found = cut(graph, split_of(graph, 4))
    picture = views.pod(graph, found, "A note.")
    assert picture.svg.count('class="server"') + picture.svg.count('class="gpu"') in (8, 31, 32, 127)
    assert f"{found.both_directions / 1e9:,.0f} GB/s" in picture.title
    assert f"{found.bytes_per_second / 1e9:,.0f} GB/s" in picture.text
    assert "A note." in picture.text
    assert "s-finding" in picture.svg


def test_the_sides_of_a_cut_differ_in_shape_as_well_as_in_color():
    graph = topology("HGX H100")
    drawn = views.pod(graph, cut(graph, split_of(graph, 3))).svg
    assert len(re.findall(r'f-hue0"[^>]*rx="4"', drawn)) == 3
    assert len(re.findall(r'f-hue1"[^>]*rx="18"', drawn)) == 5


def test_a_timeline_draws_every_message_on_the_chosen_links():
    network = two_tiers(2, 4, 450e9, 2, 100)
    messages = job("all-to-all", "direct", [0, 4], 2**20, "A")
    messages += job("all-to-all", "direct", [1, 5], 2**20, "B", len(messages))
    done = simulate(network, messages)
    picture = views.timeline(done, {"up": ("up", 0), "spine": ("to spine", 0)}, "Two jobs")
    drawn = sum(one.path in {("up", 0), ("to spine", 0)} for one in done.passages)
    assert picture.svg.count('class="message"') == drawn == 3
    assert "A ends at" in picture.text
    assert "B ends at" in picture.text
    with pytest.raises(ValueError, match="links has 0 lanes"):
        views.timeline(done, {}, "Nothing")


def test_two_generations_tell_tiers_by_the_markers_shape():
    picture = views.two_generations(1024)
    symbols = [list(trace.marker.symbol) for trace in picture.figure.data]
    assert symbols[0] != symbols[1]
    assert "25.6" in picture.title
    assert "51.2" in picture.title
    with pytest.raises(ValueError, match="gpus=1000 must be one of"):
        views.two_generations(1000)


def test_a_step_is_drawn_in_two_parts_that_add_up():
    drawn = step_times(0.386, 2.97).svg
    parts = re.findall(
        r'class="part"><title>.*?<rect class="f-hue\d" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"', drawn
    )
    widths = [float(width) for _, _, width in parts]
    assert len(widths) == 6
    assert widths[0] + widths[1] == pytest.approx(620, rel=1e-4)
    assert (widths[0] + widths[1]) / (widths[4] + widths[5]) == pytest.approx(4, rel=0.01)
    for compute, exchange in zip(parts[::2], parts[1::2], strict=True):
        assert float(exchange[0]) == pytest.approx(float(compute[0]) + float(compute[2]), rel=1e-4)
        assert exchange[1] == compute[1]
    assert "2.50 x" in drawn


def test_a_step_without_exchange_has_one_part():
    assert step_times(0.0, 2.5).svg.count('class="part"') == 3


def test_tables_are_drawn_where_they_are_and_an_overfull_gpu_says_so():
    machine = recommender.Machine(4, memory_bytes=60 * 10**9)
    tables = recommender.example_tables(2, 12)
    picture = placed_tables(tables, recommender.greedy(tables, machine, 4096), machine, 4096)
    assert picture.svg.count('class="table"') == 12
    assert "GPU 3:" in picture.text
    assert "overfull" in placed_tables(tables, [0] * 12, machine, 4096).title


def test_an_access_is_drawn_station_by_station():
    pod = addressing.map_buffer(addressing.export(addressing.Pod(), "weights", 1, 2), 0, "weights", 7)
    assert address_views.access_path(pod, "weights").title == "No access yet"
    refused = address_views.access_path(addressing.access(pod, 0, 7), "weights")
    assert "fault at the link TLB of the owner" in refused.title
    assert refused.svg.count("s-finding") >= 1
    allowed = address_views.access_path(
        addressing.access(addressing.grant(pod, 0, "weights"), 0, 7), "weights"
    )
    assert "page 100 of GPU 1" in allowed.title
    assert "1 of 4 entries" in allowed.text


@pytest.mark.parametrize("rule", sharp_tenancy.RULES)
def test_tenants_are_drawn_with_ports_trees_and_reasons(rule):
    cluster = sharp_tenancy.Cluster()
    placed = sharp_tenancy.pack(cluster, sharp_tenancy.GAME_JOBS, sharp_tenancy.GAME_HOMES)
    answers = sharp_tenancy.admit(cluster, placed, rule)
    picture = tenancy_views.tenants(cluster, answers, rule)
    assert picture.svg.count('class="port"') == 30
    hatched = sum(one.placed.job.hosts for one in answers if not one.reduces_in_switch)
    assert picture.svg.count("f-none s-paper") == hatched
    assert all(one.why in picture.text for one in answers)
