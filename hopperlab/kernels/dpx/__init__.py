"""Dynamic programs with DPX and without: single functions, Smith-Waterman, Floyd-Warshall."""
