"""Kernels that take the time of themselves, on a card and in the simulator alike.

`memory`, `words`, `messages` and `copies` repeat one thing each: from what they take on a card the simulator has its
costs. `points` are small programs made of such things: they tell how well the costs add up. Each writes the clock
cycles between two readings of the clock to `cycles`, a number a block (and a part, where it has several).
"""
