"""What every lesson tells of its experiments: the model against the recordings, in one table."""

from collections.abc import Iterable

from hopperlab import ledger
from hopperlab.course.report import Report, Table
from hopperlab.measure.experiment import Experiment


def compared(experiments: Iterable[Experiment], card: str | None = None, note: str = "") -> Report:
    """The model against every recording of these experiments: what was compared, and the mismatches.

    Parameters
    ----------
    experiments
        The lesson's experiments, in their order.
    card
        Only recordings of this card; of every card if None.
    note
        What was compared, in a sentence below the table.
    """
    rows = []
    for experiment in experiments:
        recordings = ledger.recordings(experiment.name, card=card)
        if recordings:
            found = experiment.compare(recordings)
            rows.append([experiment.question, found.card, str(found.compared), str(found.mismatches)])
        else:
            rows.append([experiment.question, "no recording yet", "0", "-"])
    return Report(Table(["measured", "card", "compared with the model", "mismatches"], rows), note)
