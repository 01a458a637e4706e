"""One tile on the tensor cores: by a warpgroup from shared memory, and by a warp from its registers."""
