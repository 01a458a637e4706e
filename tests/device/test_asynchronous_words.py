"""Words of barriers and asynchronous copies: the machine code each becomes, and what each refuses to take."""

import re

import pytest
from numba import cuda, float32, uint8, uint32, uint64
from numba.core.errors import TypingError

from hopperlab.device import (
    atomic_ref,
    bulk,
    cluster,
    cp_async,
    dsmem,
    elect,
    fence,
    kernel,
    mbarrier,
    setmaxnreg_dec,
    setmaxnreg_inc,
    tma,
)

OUT = "void(uint32[::1])"


def instructions(a_kernel) -> str:
    """The machine code, once its resources were seen to be without spill."""
    resources = a_kernel.resources()
    assert (resources.spill_store_bytes, resources.stack_bytes) == (0, 0)
    return a_kernel.sass()


def has_all(sass, *patterns):
    missing = [pattern for pattern in patterns if not re.search(pattern, sass)]
    assert missing == []


@kernel(signature=OUT)
def own_barrier(out):
    full = mbarrier.shared()
    mbarrier.init(full, 32)
    token = mbarrier.arrive(full)
    mbarrier.arrive(full, 2)
    mbarrier.arrive_drop(full)
    mbarrier.arrive_relaxed(full)
    mbarrier.expect_tx(full, 64)
    mbarrier.arrive_expect_tx(full, 32)
    mbarrier.complete_tx(full, 96)
    if mbarrier.test_wait(full, 1):
        out[0] = mbarrier.pending_count(token)
    if mbarrier.try_wait(full, 1):
        out[1] = 1
    if mbarrier.try_wait_for(full, 1, 1000):
        out[2] = 1
    if mbarrier.test_wait_token(full, token):
        out[3] = 1
    mbarrier.wait_token(full, token)
    mbarrier.wait(full, 0)
    mbarrier.inval(full)


def test_a_barrier_is_counted_by_the_barrier_unit_and_waited_for_in_a_loop():
    has_all(
        instructions(own_barrier),
        r"SYNCS\.EXCH\.64",
        r"SYNCS\.ARRIVE\.TRANS64\.A1T0",
        r"SYNCS\.ARRIVE\.TRANS64\.ART0",
        r"SYNCS\.ARRIVE\.TRANS64\.OPTOUT",
        r"SYNCS\.ARRIVE\.TRANS64\.RED\.A0TR",
        r"SYNCS\.ARRIVE\.TRANS64\.RED\.A0TX",
        r"SYNCS\.PHASECHK\.TRANS64 ",
        r"SYNCS\.PHASECHK\.TRANS64\.TRYWAIT",
        r"SYNCS\.CCTL\.IV",
    )
    assert own_barrier.resources().shared_bytes == 8


def test_a_wait_keeps_its_place_between_the_reads_around_it():
    @kernel(signature=OUT)
    def twice(out):
        box = cuda.shared.array(1, uint32)
        full = mbarrier.shared()
        box[0] = out[0]
        cuda.syncthreads()
        out[0] = box[0]
        mbarrier.wait(full, 0)
        out[1] = box[0]

    code = twice.sass()
    first, second = (m.start() for m in re.finditer(r"LDS", code))
    assert first < code.index("SYNCS.PHASECHK") < second


def test_a_ring_holds_as_many_barriers_as_it_is_asked_for():
    @kernel(signature=OUT)
    def ring(out):
        stages = mbarrier.shared(5)
        for stage in range(5):
            mbarrier.init(stages[stage], 1)
        mbarrier.wait(stages[out[0]], out[1])

    assert ring.resources().shared_bytes == 40
    assert ring.sass().count("SYNCS.EXCH.64") == 5


@kernel(signature=OUT)
def peers_barrier(out):
    full = mbarrier.shared()
    ring = mbarrier.shared(2)
    peer = cluster.map_shared_rank(full, 1)
    mbarrier.arrive(peer)
    mbarrier.arrive_relaxed(cluster.map_shared_rank(ring, 1)[out[0]])
    mbarrier.arrive_expect_tx(peer, 16)
    mbarrier.expect_tx(peer, 16)
    out[1] = cluster.query_shared_rank(peer)
    mbarrier.wait(full, 0, scope="cluster")


def test_another_blocks_barrier_is_arrived_on_with_the_clusters_scope():
    ptx = peers_barrier.ptx()
    assert ptx.count("mapa.u64") == 2
    assert "mbarrier.arrive.release.cluster.shared::cluster.b64 _," in ptx
    assert "mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _," in ptx
    assert "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64" in ptx
    # Other blocks' writes to global memory may lie in this SM's L1: acquiring for the cluster empties it.
    has_all(instructions(peers_barrier), r"MEMBAR\.ALL\.GPU", r"CCTL\.IVALL")


def test_a_block_does_not_wait_on_another_blocks_barrier():
    @kernel(signature=OUT)
    def impatient(out):
        full = mbarrier.shared()
        mbarrier.wait(cluster.map_shared_rank(full, 1), 0)

    with pytest.raises(
        TypingError, match="another block's barrier, but the word takes a barrier of this block"
    ):
        impatient.ptx()


def test_arriving_on_another_blocks_barrier_gives_no_token():
    @kernel(signature=OUT)
    def hopeful(out):
        full = mbarrier.shared()
        out[0] = mbarrier.pending_count(mbarrier.arrive(cluster.map_shared_rank(full, 1)))

    with pytest.raises(TypingError, match=r"pending_count: token is none"):
        hopeful.ptx()


@pytest.mark.parametrize(
    ("misuse", "message"),
    [
        (lambda b, out: mbarrier.init(b, 0), r"mbarrier.init: count is 0; .*1 to 1048575"),
        (lambda b, out: mbarrier.init(b, 1 << 20), r"mbarrier.init: count is 1048576"),
        (lambda b, out: mbarrier.expect_tx(b, 1 << 20), r"mbarrier.expect_tx: nbytes is 1048576"),
        (lambda b, out: mbarrier.wait(b, 2), r"mbarrier.wait: parity is 2; allowed is from 0 to 1"),
        (lambda b, out: bulk.load(out, out, 24, b), r"bulk.load: nbytes is 24; .* in steps of 16"),
        (lambda b, out: bulk.load(out, out, 227 * 1024 + 16, b), r"bulk.load: nbytes is 232464"),
        (lambda b, out: bulk.load_multicast(out, out, 16, b, 0), r"bulk.load_multicast: ranks is 0"),
        (lambda b, out: cp_async.copy(out, 0, out, 0, 12 + 8), r"cp_async.copy: nbytes is 20"),
        (lambda b, out: setmaxnreg_inc(100), r"setmaxnreg_inc: count is 100; .*24 to 256 in steps of 8"),
    ],
)
def test_a_known_value_out_of_range_is_refused_while_compiling(misuse, message):
    word = cuda.jit(device=True)(misuse)

    @kernel(signature=OUT)
    def careless(out):
        word(mbarrier.shared(), out)

    with pytest.raises(ValueError, match=message):
        careless.ptx()


@kernel(signature=OUT)
def one_sided(out):
    inbox = cuda.shared.array((4, 32), uint32, alignment=16)
    wide = cuda.shared.array(32, uint64)
    full = mbarrier.shared()
    thread = cuda.threadIdx.x
    peer = cluster.map_shared_rank(full, 1)
    there = cluster.map_shared_rank(inbox, 1)
    dsmem.st_async(there, (1, thread), out[thread], peer)
    dsmem.st_async_v2(there, (2, 2 * thread), (out[0], out[1]), peer)
    dsmem.st_async_v4(there, (3, 4 * thread), (out[0], out[1], out[2], out[3]), peer)
    dsmem.st_async(cluster.map_shared_rank(wide, 1), thread, uint64(7), peer)
    dsmem.red_async(there, (0, thread), out[thread], peer)
    dsmem.red_async(there, (0, thread), out[thread], peer, operation="max")


def test_one_sided_writes_name_their_element_and_their_barrier():
    ptx = one_sided.ptx()
    for form in ("bytes.u32", "bytes.v2.u32", "bytes.v4.u32", "bytes.u64", "bytes.add.u32", "bytes.max.u32"):
        assert f"complete_tx::{form}" in ptx
    has_all(instructions(one_sided), r"STAS \[", r"STAS\.64 \[", r"STAS\.128 \[", r"REDAS")


def test_one_sided_writes_take_words_of_32_and_64_bits():
    @kernel(signature="void(uint8[::1])")
    def narrow(out):
        inbox = cuda.shared.array(32, uint8)
        dsmem.st_async(inbox, 0, out[0], mbarrier.shared())

    with pytest.raises(TypingError, match="array has elements of 1 bytes; the word takes 4 or 8"):
        narrow.ptx()


@kernel(signature="void(float32[::1])")
def runs_of_bytes(values):
    tile = cuda.shared.array(256, float32, alignment=128)
    counts = cuda.shared.array(256, uint32, alignment=128)
    full = mbarrier.shared()
    if elect():
        bulk.prefetch(values, 1024)
        bulk.load(tile, values[256:], 1024, full)
        bulk.load_multicast(tile, values, 1024, full, 0b11)
        bulk.send(cluster.map_shared_rank(tile, 1), tile, 1024, cluster.map_shared_rank(full, 1))
        bulk.send_reduce(cluster.map_shared_rank(counts, 1), counts, 1024, cluster.map_shared_rank(full, 1))
        fence.proxy_async_shared()
        bulk.store(values, tile, 1024)
        bulk.reduce(values, tile, 1024)
        bulk.commit_group()
        bulk.wait_group_read(1)
        bulk.wait_group(0)
    fence.proxy_async()
    fence.acq_rel_cluster()
    fence.mbarrier_init()


def test_runs_of_bytes_are_copied_by_the_engine():
    has_all(
        instructions(runs_of_bytes),
        "UBLKPF",
        r"UBLKCP\.S\.G",
        r"UBLKCP\.S\.G\.MULTICAST",
        r"UBLKCP\.S\.S",
        "UBLKRED",
        "UTMACMDFLUSH",
        r"DEPBAR",
        "ELECT",
        r"FENCE\.VIEW\.ASYNC",
    )


@kernel(signature=(tma.map_type(2), tma.map_type(5)))
def boxes(plane, block):
    tile = cuda.shared.array((16, 32), float32, alignment=128)
    full = mbarrier.shared()
    x = cuda.blockIdx.x * 32
    if elect():
        tma.prefetch_map(plane)
        tma.prefetch(plane, (x, 0))
        tma.load(tile, plane, (x, -1), full)
        tma.load_multicast(tile, block, (x, 0, 1, 2, 3), full, 0b1111)
        tma.store(plane, (x, 16), tile)
        tma.reduce(plane, (x, 16), tile)
        tma.reduce(block, (x, 0, 0, 0, 0), tile, operation="xor")
        tma.commit_group()
        tma.wait_group(0)


def test_boxes_are_copied_by_the_engine_from_a_map_in_the_parameters():
    ptx = boxes.ptx()
    assert len(re.findall(r"\.param \.align 64 \.b8 \S+\[128\]", ptx)) == 2
    assert "cvta.param.u64" in ptx
    has_all(
        instructions(boxes),
        r"UTMALDG\.2D ",
        r"UTMALDG\.5D\.MULTICAST",
        r"UTMASTG\.2D",
        r"UTMAREDG\.2D\.ADD",
        r"UTMAREDG\.5D\.XOR",
        r"UTMAPF\.L2\.2D",
        r"UTMACCTL\.PF",
    )


@pytest.mark.parametrize("coordinates", [(0,), (0, 0, 0)])
def test_as_many_coordinates_as_the_map_has_dimensions(coordinates):
    @kernel(signature=(tma.map_type(2),))
    def lost(plane):
        tile = cuda.shared.array((16, 32), float32, alignment=128)
        tma.load(tile, plane, coordinates, mbarrier.shared())

    with pytest.raises(TypingError, match="tensor_map has 2 dimensions: give a tuple of 2 whole numbers"):
        lost.ptx()


def test_what_is_no_map_and_what_is_no_operation_is_refused():
    @kernel(signature=OUT)
    def mapless(out):
        tma.prefetch_map(out)

    @kernel(signature=(tma.map_type(1),))
    def multiply(line):
        tma.reduce(line, (0,), cuda.shared.array(32, float32), operation="mul")

    with pytest.raises(TypingError, match="but the word takes a tensor map"):
        mapless.ptx()
    with pytest.raises(TypingError, match=r"\(mul\), but the word takes one of 'add', 'min', 'max'"):
        multiply.ptx()


@kernel(signature="void(float32[::1])")
def as_on_the_a100(values):
    tile = cuda.shared.array(1024, float32, alignment=16)
    full = mbarrier.shared()
    thread = cuda.threadIdx.x
    cp_async.copy(tile, 4 * thread, values, 4 * thread)
    cp_async.copy(tile, 4 * thread, values, 4 * thread, cache="cg")
    cp_async.copy(tile, 2 * thread, values, 2 * thread, 8)
    cp_async.copy(tile, thread, values, thread, 4)
    cp_async.commit_group()
    cp_async.wait_group(0)
    cp_async.wait_all()
    cp_async.mbarrier_arrive(full)
    cp_async.mbarrier_arrive_noinc(full)


def test_the_a100s_copies_are_issued_by_every_thread():
    has_all(
        instructions(as_on_the_a100),
        r"LDGSTS\.E ",
        r"LDGSTS\.E\.64",
        r"LDGSTS\.E\.128",
        r"LDGSTS\.E\.BYPASS\.128",
        "LDGDEPBAR",
        "ARRIVES",
    )


def test_warpgroups_trade_registers():
    @kernel(signature=OUT, launch_bounds=(256, 1))
    def trade(out):
        if cuda.threadIdx.x < 128:
            setmaxnreg_dec(40)
        else:
            setmaxnreg_inc(232)

    has_all(trade.sass(), r"USETMAXREG\.DEALLOC\.CTAPOOL 0x28", r"USETMAXREG\.TRY_ALLOC\.CTAPOOL UP\d, 0xe8")


def test_a_flag_is_read_anew_in_every_turn_of_a_loop():
    @kernel(signature="void(uint32[::1], uint32[::1])")
    def poll(flags, words):
        while atomic_ref.load_acquire(flags, 0) == 0:
            pass
        atomic_ref.store_release(flags, 1, words[0])

    code = instructions(poll)
    assert re.search(r"(\.L_x_\d+):(?:(?!\.L_x_\d+:).)*LDG\.E\.STRONG\.GPU.*?BRA `\(\1\)", code, re.DOTALL)
    has_all(code, r"STG\.E\.STRONG\.GPU", r"CCTL\.IVALL", r"MEMBAR\.\w+\.GPU")
