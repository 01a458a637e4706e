"""Patterns of exchange: shared bins, halos sent one-sided, a ring that reduces, a tile passed on."""

from numba import cuda, float32, int32, uint32

from hopperlab.device import bulk, cluster, dsmem, fence, kernel, mbarrier

CELLS = 128
"""Cells of a block in `halo`, one a thread."""

ROW = CELLS + 2
"""Those cells, with one of either neighbor at the ends."""

TILE = 1024
"""Elements that a block of `pass_on` passes on."""


@kernel(signature="void(uint16[::1], uint32[::1])")
def histogram(values, counts):
    """Count values in bins that no single block could hold: each block of a cluster holds its share.

    Parameters
    ----------
    values
        What is counted, each below `counts.size`.
    counts
        A bin for each value, zeros at first. The cluster's size divides their number, and a block's share
        of them, 4 bytes a bin, is the launch's dynamic shared memory.
    """
    bins = cuda.shared.array(0, uint32)
    share = uint32(counts.size) // cluster.num_blocks()
    for i in range(cuda.threadIdx.x, share, cuda.blockDim.x):
        bins[i] = 0
    cluster.sync()  # no block counts in bins that are not cleared yet
    for i in range(cuda.grid(1), values.size, cuda.gridsize(1)):
        value = uint32(values[i])
        owner = value // share
        cuda.atomic.add(cluster.map_shared_rank(bins, owner), value - owner * share, uint32(1))
    cluster.sync()  # no block ends while others count in its bins
    first = cluster.block_rank() * share
    for i in range(cuda.threadIdx.x, share, cuda.blockDim.x):
        cuda.atomic.add(counts, first + uint32(i), bins[i])


@kernel(signature="void(float32[::1], int32)")
def halo(cells, steps):
    """Let heat spread along a ring of cells: each cell becomes a half of itself and a quarter of both neighbors.

    A cluster holds one ring, each of its blocks `CELLS` cells of it. In every step a block writes its two
    outer cells into its neighbors' shared memory; the bytes count on the neighbor's barrier, and nobody
    polls. Steps use two rows and two barriers in turn: a neighbor may be one step ahead, never two.

    Parameters
    ----------
    cells
        The cells of all blocks; read, and written at the end.
    steps
        How many times the heat spreads.
    """
    row = cuda.shared.array((2, ROW), float32)
    full = mbarrier.shared(2)
    thread = cuda.threadIdx.x
    here = thread + 1
    if thread == 0:
        mbarrier.init(full[0], 1)
        mbarrier.init(full[1], 1)
        fence.mbarrier_init()
    row[0, here] = cells[cuda.grid(1)]
    cluster.sync()
    blocks = cluster.num_blocks()
    left = (cluster.block_rank() + blocks - uint32(1)) % blocks
    right = (cluster.block_rank() + uint32(1)) % blocks
    for step in range(steps):
        now, then = step % 2, (step + 1) % 2
        if thread == 0:
            mbarrier.arrive_expect_tx(full[now], 8)  # 4 bytes from either side
            to_left = cluster.map_shared_rank(row, left)
            dsmem.st_async(to_left, (now, CELLS + 1), row[now, 1], cluster.map_shared_rank(full[now], left))
        if thread == CELLS - 1:
            to_right = cluster.map_shared_rank(row, right)
            dsmem.st_async(to_right, (now, 0), row[now, CELLS], cluster.map_shared_rank(full[now], right))
        mbarrier.wait(full[now], step // 2 % 2, scope="cluster")
        both = row[now, here - 1] + row[now, here + 1]
        row[then, here] = cuda.fma(float32(0.5), row[now, here], float32(0.25) * both)
        cuda.syncthreads()
    cells[cuda.grid(1)] = row[steps % 2, here]
    cluster.sync()


@kernel(signature="void(int32[:, ::1])")
def ring_all_reduce(vectors):
    """Give every block of a cluster the sum of all blocks' vectors, by passing chunks around a ring.

    First each chunk goes once around and is added to on its way; then each sum goes once around. Either takes
    one step less than there are blocks, and in every step every block sends one chunk to the right. One
    thread does it all: the copy engine adds.

    Parameters
    ----------
    vectors
        A row a block of the grid: its vector, and in the end the sum over its cluster. A row's length is a
        multiple of four times the cluster's size; its bytes are the launch's dynamic shared memory.
    """
    vector = cuda.shared.array(0, int32, alignment=16)
    arrived = mbarrier.shared(30)  # one a step, at most
    mine = vectors[cuda.blockIdx.x]
    for i in range(cuda.threadIdx.x, mine.size, cuda.blockDim.x):
        vector[i] = mine[i]
    fence.proxy_async_shared()
    if cuda.threadIdx.x == 0:
        for step in range(30):
            mbarrier.init(arrived[step], 1)
        fence.mbarrier_init()
    cluster.sync()
    if cuda.threadIdx.x == 0:
        blocks, rank = int32(cluster.num_blocks()), int32(cluster.block_rank())
        chunk = mine.size // blocks
        right = (rank + int32(1)) % blocks
        there = cluster.map_shared_rank(vector, right)
        for step in range(2 * (blocks - 1)):
            mbarrier.arrive_expect_tx(arrived[step], 4 * chunk)
            first = (rank - step) % blocks * chunk
            full = cluster.map_shared_rank(arrived[step], right)
            if step < blocks - 1:
                bulk.send_reduce(there[first:], vector[first:], 4 * chunk, full)
            else:
                bulk.send(there[first:], vector[first:], 4 * chunk, full)
            mbarrier.wait(arrived[step], 0, scope="cluster")
    cluster.sync()
    for i in range(cuda.threadIdx.x, mine.size, cuda.blockDim.x):
        mine[i] = vector[i]


@kernel(signature="void(float32[:, ::1], float32[:, ::1])")
def pass_on(source, target):
    """Pass a tile to the next block of the cluster, from shared memory to shared memory, by one thread a block.

    Parameters
    ----------
    source
        A row of `TILE` elements a block of the grid.
    target
        Gets the rows, each moved on by one block within its cluster.
    """
    outbox = cuda.shared.array(TILE, float32, alignment=16)
    inbox = cuda.shared.array(TILE, float32, alignment=16)
    loaded = mbarrier.shared()
    received = mbarrier.shared()
    if cuda.threadIdx.x == 0:
        mbarrier.init(loaded, 1)
        mbarrier.init(received, 1)
        fence.mbarrier_init()
    cluster.sync()
    if cuda.threadIdx.x == 0:
        mbarrier.arrive_expect_tx(loaded, 4 * TILE)
        bulk.load(outbox, source[cuda.blockIdx.x], 4 * TILE, loaded)
        mbarrier.wait(loaded, 0)
        following = (cluster.block_rank() + uint32(1)) % cluster.num_blocks()
        there, full = cluster.map_shared_rank(inbox, following), cluster.map_shared_rank(received, following)
        mbarrier.arrive_expect_tx(received, 4 * TILE)
        bulk.send(there, outbox, 4 * TILE, full)
        mbarrier.wait(received, 0, scope="cluster")
        bulk.store(target[cuda.blockIdx.x], inbox, 4 * TILE)
        bulk.commit_group()
        bulk.wait_group(0)
    cluster.sync()
