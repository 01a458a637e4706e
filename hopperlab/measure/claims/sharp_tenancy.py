"""What the rules of admission answer to the claims about SHARP's tenants."""

from collections.abc import Iterator, Sequence

from hopperlab.ledger import Recording, claim
from hopperlab.measure.audit import Row
from hopperlab.models.sharp_tenancy import Cluster, Job, Placed, admit


def answers(recorded: Sequence[Recording]) -> Iterator[Row]:
    """Rows for the claims about tenancy: pairs of ports on one switch, admitted until it takes no more."""
    switch = Cluster(leaves=1, ports=64)
    jobs = [Placed(Job(f"job {number}", 2), {0: 2}) for number in range(32)]
    granted = {
        rule: sum(a.reduces_in_switch for a in admit(switch, jobs, rule, 512)) for rule in ("v2", "v3")
    }
    yield Row("sharp_tenancy", claim("lit-210.a").statement, "lit-210.a", modelled=granted["v2"])
    yield Row(
        "sharp_tenancy",
        claim("talk-058").statement,
        "talk-058",
        modelled=granted["v3"] / granted["v2"],
        remark="32 jobs of two ports fill 64: so many trees fit whatever else limits them",
    )
