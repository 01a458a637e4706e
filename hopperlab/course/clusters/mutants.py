"""Wrong solutions of lesson 06's exercises, each written as someone with that misconception would."""


def pooled(gpc_sm_counts, cluster_size, blocks_per_sm):
    """Divide all places of the card by the size."""
    return sum(gpc_sm_counts) * blocks_per_sm // cluster_size


def places_only(gpc_sm_counts, cluster_size, blocks_per_sm):
    """Let a cluster run in a GPC with fewer SMs than it has blocks."""
    return sum(sms * blocks_per_sm // cluster_size for sms in gpc_sm_counts)


def one_block_an_sm(gpc_sm_counts, cluster_size, blocks_per_sm):
    """Ignore that several blocks fit on an SM."""
    return sum(sms // cluster_size for sms in gpc_sm_counts)


def powers_of_two(gpc_sm_counts, cluster_size, blocks_per_sm):
    """Refuse sizes that are no power of two."""
    if cluster_size & (cluster_size - 1):
        return 0
    return sum(sms * blocks_per_sm // cluster_size for sms in gpc_sm_counts if sms >= cluster_size)


def whole_gpcs(gpc_sm_counts, cluster_size, blocks_per_sm):
    """Take every GPC for a whole one of 18 SMs."""
    return len(gpc_sm_counts) * (18 * blocks_per_sm // cluster_size)


def clusters_as_groups(observed, sms):
    """Take every cluster for a whole GPC."""
    groups = [sorted(set(cluster)) for cluster in observed]
    seen = {sm for group in groups for sm in group}
    return sorted(groups + [[sm] for sm in range(sms) if sm not in seen])


def first_match(observed, sms):
    """Join a cluster only to the first group that it touches."""
    groups = [{sm} for sm in range(sms)]
    for cluster in observed:
        first = next(group for group in groups if group & set(cluster))
        lone = [group for group in groups if group is not first and len(group) == 1 and group & set(cluster)]
        first.update(*lone)
        groups = [group for group in groups if group not in lone]
    return sorted(sorted(group) for group in groups)


def only_seen(observed, sms):
    """Leave out SMs that no cluster used."""
    groups = []
    for cluster in observed:
        touched = [group for group in groups if group & set(cluster)]
        groups = [group for group in groups if group not in touched] + [set(cluster).union(*touched)]
    return sorted(sorted(group) for group in groups)


def neighbors(observed, sms):
    """Take everything between the smallest and the largest SM of a cluster for its GPC."""
    groups = [{sm} for sm in range(sms)]
    for cluster in observed:
        span = set(range(min(cluster), max(cluster) + 1))
        touched = [group for group in groups if group & span]
        groups = [group for group in groups if group not in touched] + [set().union(*touched)]
    return sorted(sorted(group) for group in groups)


def _best(gpc_sm_counts, tiles, allowed, worth):
    shapes = [(w, h) for w in range(1, 17) for h in range(1, 16 // w + 1) if allowed(w, h)]
    return max(shapes, key=worth, default=(1, 1))


def _inner(shape):
    width, height = shape
    return ((width - 1) * height + width * (height - 1)) / (width * height)


def _divides(tiles, width, height):
    return tiles[0] % width == 0 and tiles[1] % height == 0


def _running(gpc_sm_counts, size):
    return sum(sms // size for sms in gpc_sm_counts) * size


def largest_shape(gpc_sm_counts, tiles, fewest_blocks):
    """Never count what runs at once."""
    return _best(gpc_sm_counts, tiles, lambda w, h: _divides(tiles, w, h), _inner)


def any_shape(gpc_sm_counts, tiles, fewest_blocks):
    """Never ask whether the cluster divides the grid."""
    return _best(gpc_sm_counts, tiles, lambda w, h: _running(gpc_sm_counts, w * h) >= fewest_blocks, _inner)


def flat_shape(gpc_sm_counts, tiles, fewest_blocks):
    """Take any shape of the largest allowed size, the flattest first."""
    return _best(
        gpc_sm_counts,
        tiles,
        lambda w, h: _divides(tiles, w, h) and _running(gpc_sm_counts, w * h) >= fewest_blocks,
        lambda shape: (shape[0] * shape[1], shape[0]),
    )


def pooled_shape(gpc_sm_counts, tiles, fewest_blocks):
    """Count what runs at once over the whole card instead of GPC by GPC."""
    sms = sum(gpc_sm_counts)
    return _best(
        gpc_sm_counts,
        tiles,
        lambda w, h: _divides(tiles, w, h) and sms // (w * h) * (w * h) >= fewest_blocks,
        _inner,
    )
