"""Maps of GPCs: what observed clusters prove, what they leave open, and where the examples are from."""

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hopperlab.ledger import claims
from hopperlab.models.clusters import EXAMPLE_MAPS, GpcMap, map_from_clusters, map_from_sizes

SIZES = st.lists(st.integers(1, 18), min_size=1, max_size=12)

quick = settings(max_examples=100, deadline=None)
few = settings(max_examples=30, deadline=None)


@st.composite
def observations(draw):
    """A hidden card, and clusters that landed on it."""
    hidden = map_from_sizes(draw(SIZES))
    clusters = draw(
        st.lists(
            st.sampled_from(hidden.groups).flatmap(
                lambda group: st.lists(st.sampled_from(group), min_size=1, max_size=16)
            ),
            max_size=60,
        )
    )
    return hidden, clusters


@few
@given(observations())
def test_groups_are_the_connected_components_of_togetherness(seen):
    hidden, clusters = seen
    graph = nx.Graph()
    graph.add_nodes_from(range(hidden.sms))
    for cluster in clusters:
        nx.add_path(graph, cluster)
    found = map_from_clusters(clusters, hidden.sms)
    assert {frozenset(group) for group in found.groups} == set(map(frozenset, nx.connected_components(graph)))


@few
@given(observations())
def test_found_groups_never_join_what_the_card_keeps_apart(seen):
    hidden, clusters = seen
    found = map_from_clusters(clusters, hidden.sms)
    assert all(len({hidden.group_of(sm) for sm in group}) == 1 for group in found.groups)


@few
@given(observations(), st.randoms())
def test_the_order_of_observations_does_not_matter(seen, random):
    hidden, clusters = seen
    shuffled = random.sample(clusters, len(clusters))
    assert map_from_clusters(shuffled, hidden.sms) == map_from_clusters(clusters, hidden.sms)


@few
@given(observations())
def test_parts_of_one_gpc_are_always_left_open(seen):
    """Separateness is never claimed: two found groups of one hidden GPC are among the open pairs."""
    hidden, clusters = seen
    found = map_from_clusters(clusters, hidden.sms)
    still_open = set(found.may_share_a_gpc())
    for a, first in enumerate(found.groups):
        for b in range(a + 1, len(found.groups)):
            if hidden.group_of(first[0]) == hidden.group_of(found.groups[b][0]):
                assert (a, b) in still_open


def test_open_questions_name_lone_sms_and_small_groups():
    found = map_from_clusters([(0, 1, 2, 3), (4, 5)], 7)
    assert found.groups == ((0, 1, 2, 3), (4, 5), (6,))
    lone, small = found.open_questions()
    assert "SM 6" in lone
    assert "3 pairs of groups, among 0, 1, 2" in small


def test_two_groups_may_share_a_gpc_up_to_18_sms():
    assert map_from_clusters([range(16), (16, 17)], 18).may_share_a_gpc() == ((0, 1),)
    assert map_from_clusters([range(16), (16, 17, 18)], 19).may_share_a_gpc() == ()


def test_full_gpcs_leave_nothing_open():
    assert map_from_clusters([range(18), range(18, 36)], 36).open_questions() == ()


@pytest.mark.parametrize(
    ("clusters", "sms", "message"),
    [
        ([(0, 4)], 4, r"clusters\[0\]=4 must be in 0 to 3"),
        ([(0, 1), (-1,)], 4, r"clusters\[1\]=-1 must be in 0 to 3"),
        ([()], 4, r"clusters\[0\] is empty"),
        ([range(10), range(9, 19)], 132, r"clusters\[1\].*joins 19 SMs.*1 to 18"),
        ([], 0, "sms=0 must be in 1 to"),
    ],
)
def test_impossible_observations_are_refused(clusters, sms, message):
    with pytest.raises(ValueError, match=message):
        map_from_clusters(clusters, sms)


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ((), "at least one group"),
        (((0, 1), ()), r"SMs of groups\[1\]=0 must be in 1 to 18"),
        ((range(19),), r"SMs of groups\[0\]=19 must be in 1 to 18"),
        (((0, 1), (1, 2)), "SM 1 is listed more than once"),
        (((0, -1),), r"groups\[0\]=-1"),
    ],
)
def test_a_map_that_no_card_can_have_is_refused(groups, message):
    with pytest.raises(ValueError, match=message):
        GpcMap("broken", groups, "measured", "a test")


def test_provenance_is_one_of_three():
    with pytest.raises(ValueError, match=r"provenance='guessed' must be 'quoted', 'modelled' or 'measured'"):
        GpcMap("map", ((0,),), "guessed", "a test")


def test_an_unknown_sm_has_no_group():
    with pytest.raises(ValueError, match="sm=4"):
        map_from_sizes((4,)).group_of(4)


@quick
@given(SIZES)
def test_a_map_from_sizes_deals_every_sm_once_in_pairs(sizes):
    dealt = map_from_sizes(sizes)
    assert list(dealt.gpc_sm_counts) == sizes
    assert sorted(sm for group in dealt.groups for sm in group) == list(range(sum(sizes)))


def test_the_published_map_has_the_quoted_ids():
    shown = EXAMPLE_MAPS["H100 PCIe"]
    quoted = {0, 1, 14, 15, 28, 29, 42, 43, 56, 57, 70, 71, 84, 85, 110, 111, 112, 113}
    assert set(shown.groups[0]) == quoted
    assert {2, 3, 16, 17, 98, 99} < set(shown.groups[1])
    assert sorted(sm for group in shown.groups for sm in group) == list(range(114))


@pytest.mark.parametrize("shown", EXAMPLE_MAPS.values(), ids=lambda shown: shown.name)
def test_example_maps_say_where_they_are_from(shown):
    ids = {claim.id for claim in claims()}
    cited = [word.strip(",;") for word in shown.source.split() if word.startswith(("lit-", "derived-"))]
    assert shown.provenance == "measured" or cited
    for claim in cited:
        assert any(known == claim or known.startswith(f"{claim}.") for known in ids), claim


def test_sizes_in_short():
    assert EXAMPLE_MAPS["H200 SXM"].sizes() == "2x18 + 5x16 + 8 + 4x2"
    assert EXAMPLE_MAPS["H200 SXM"].sms == 132
