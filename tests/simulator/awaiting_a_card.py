"""Kernels that have a case of `kernel_outputs` and no recording yet: written after the card was last there.

`hopperlab measure kernel_outputs` on a card records them all; then this list is emptied.
"""

AWAITS_A_CARD = {
    "atomics": (
        "add add_in_shared alone_in_cluster alone_in_global alone_in_shared contend "
        "hand_off_in_cluster hand_off_in_global hand_off_in_shared"
    ),
    "cp_async": "copy_tiles_by_threads",
    "dpx.lines": (
        "added_twice as_numba_adds called_by_name in_floats maximum_first with_a_condition "
        "with_a_difference with_a_floor without_comparing written_out"
    ),
    "exchange.ping_pong": "ping_pong_by_atomics ping_pong_by_store_and_arrive ping_pong_by_tagged_word",
    "exchange.probes": "read_all",
    "exchange.programs": (
        "all_reduce_in_a_cluster all_reduce_in_global_memory histogram_in_a_block histogram_in_global_memory"
    ),
    "exchange.swaps": "swap_by_flag swap_by_st_async",
    "gemm.ladder.copies_ahead": "copies_ahead",
    "gemm.ladder.multicast": "multicast",
    "gemm.ladder.naive": "naive",
    "gemm.ladder.persistent": "persistent",
    "gemm.ladder.shared_tiles": "shared_tiles",
    "gemm.ladder.specialized": "specialized",
    "gemm.ladder.tensor_copies": "tensor_copies",
    "gemm.ladder.tensor_cores": "tensor_cores",
    "gemm.product": "product",
    "holding": "hold",
    "memory.chases": "chase chase_addresses chase_constants chase_shared count_misses link_up revisit_lines",
    "memory.stream": "copy fill read read_tiles tick write",
    "power": "multiply multiply_given",
    "roofline": "multiply_adds",
    "throughput.chained": "chains",
    "throughput.dead_code": "add_up forget",
    "throughput.multiply_adds": "multiply_adds",
    "tiles": "chase_by_engine chase_by_loads read_boxes read_by_cp_async read_by_loads read_shared_boxes",
    "timing.copies": "load_boxes load_bytes store_bytes",
    "timing.memory": (
        "add_atomically chase_global chase_parts chase_ranks chase_remote chase_shared scan smooth "
        "store_global store_shared"
    ),
    "timing.messages": "exchange_pieces exchange_words flag_words relay relay_by_flag relay_pieces",
    "timing.points": "halo ping_pong pipeline reduction ring_all_reduce",
    "timing.words": (
        "barrier_words count_along fences fma_chain hand_over ring_words shuffle_chain sync_block "
        "sync_cluster sync_warp"
    ),
    "tma": "land_box",
    "waiting": "warps_apart warps_at_once work_beside_waiters",
}
"""By module of hopperlab.kernels, the kernels, or the functions that make them."""

CLOCKS_ALONE = (
    "report_placement", "tick", "hold", "chains exp2", "chains log2", "chains reciprocal root",
    "chains hyperbolic tangent", "timing.sync_warp", "timing.sync_block", "timing.sync_cluster",
    "timing.barrier_words", "timing.ring_words", "timing.hand_over", "timing.exchange_words", "exchange_pieces",
    "relay_pieces", "exchange_pieces, added", "relay_pieces, added", "halo_of_edges", "ring_all_reduce_of_ones",
)  # fmt: skip
"""Cases that leave nothing that must be the same in two runs: all that they store is undetermined, with a reason."""
