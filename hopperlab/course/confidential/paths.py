"""Two ways over the bus that lesson 15 compares; its rates are examples, stated with every use."""

from hopperlab.models.confidential import Path, bus_path

CHIP = "H100 SXM5"
AES_BYTES_PER_S = 3.4e9
"""AES-256-GCM on one core of a server: an example. The lesson measures the learner's own."""

CHUNK_BYTES, FIXED_S = 2**20, 10e-6

PLAIN: Path = bus_path(CHIP)
CONFIDENTIAL: Path = bus_path(
    CHIP, encrypt_bytes_per_s=AES_BYTES_PER_S, chunk_bytes=CHUNK_BYTES, fixed_s=FIXED_S
)
