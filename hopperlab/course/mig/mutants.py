"""Wrong solutions of lesson 16, one for each misconception: each answers as someone with that idea would."""

from itertools import combinations

from hopperlab.models.mig import profile

CARD = "H100 SXM5"


# --- fits -----------------------------------------------------------------------------------------


def compute_only(layout, shapes):
    """Count compute slices and the media engines, and forget memory."""
    return sum(shapes[name][0] for name in layout) <= 7 and _media(layout) <= 1


def memory_only(layout, shapes):
    """Count memory slices and the media engines, and forget compute."""
    return sum(shapes[name][1] for name in layout) <= 8 and _media(layout) <= 1


def seven_of_both(layout, shapes):
    """Take seven for both."""
    return all(sum(shapes[name][axis] for name in layout) <= 7 for axis in (0, 1)) and _media(layout) <= 1


def any_media(layout, shapes):
    """Count the slices only."""
    return sum(shapes[name][0] for name in layout) <= 7 and sum(shapes[name][1] for name in layout) <= 8


def _media(layout):
    return sum(name.endswith("+me") for name in layout)


# --- make room ------------------------------------------------------------------------------------


def free_slices(instances, wanted, lay):
    """Say that no move is needed where the slices add up."""
    size = profile(wanted, CARD).memory_slices
    taken = sum(profile(name, CARD).memory_slices for name, _ in instances)
    return 0 if taken + size <= 8 else None


def move_all(instances, wanted, lay):
    """Move nothing, or everything."""
    if lay([wanted], instances):
        return 0
    return len(instances) if lay([wanted, *(name for name, _ in instances)], []) else None


def one_move(instances, wanted, lay):
    """Never move more than one."""
    return _search(instances, wanted, lay, most=1)


def forget_the_moved(instances, wanted, lay):
    """Destroy what is in the way, and never create it again."""
    return _search(instances, wanted, lambda names, standing: lay(names[:1], standing), most=len(instances))


def _search(instances, wanted, lay, most):
    for count in range(most + 1):
        for moved in combinations(instances, count):
            standing = [one for one in instances if one not in moved]
            if lay([wanted, *(name for name, _ in moved)], standing):
                return count
    return None


# --- queue ----------------------------------------------------------------------------------------


def head_first(queue, board):
    """Stop at the first who finds no place."""
    return _served(queue, board, passing=False)


def never_leave(queue, board):
    """Never destroy; give up after a day."""
    return _served(queue, board, leaving=False)


def slices_enough(queue, board):
    """Let in whoever finds enough slices, wherever they lie."""
    return _served(queue, board, by_slices=True)


def all_at_once(queue, board):
    """Forget the hours of arrival."""
    return _served([(name, 0, stays) for name, _, stays in queue], board)


def _served(queue, board, *, passing=True, leaving=True, by_slices=False):
    begins = [None] * len(queue)
    running = []
    for hour in range(48):
        if leaving:
            running = [one for one in running if one[0] > hour]
        for number, (name, arrives, stays) in enumerate(queue):
            if begins[number] is not None or arrives > hour:
                continue
            placed = _room(name, running, board, by_slices)
            if placed is not None:
                running.append((hour + stays, name, placed))
                begins[number] = hour
            elif not passing:
                break
    return begins


def _room(name, running, board, by_slices):
    """A start for one more instance beside those that run; any number where slices are enough."""
    if by_slices:
        kinds = [profile(one, CARD) for one in (name, *(other for _, other, _ in running))]
        compute, memory = (sum(getattr(k, f"{axis}_slices") for k in kinds) for axis in ("compute", "memory"))
        return 0 if compute <= 7 and memory <= 8 else None
    for _, other, start in running:
        board = board.create(other, start)
    return board.choice(name) if board.free(name) else None
