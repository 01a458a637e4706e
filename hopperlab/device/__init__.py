"""The Hopper that you program: words, launch, and the two machines that run them."""
