"""What a corpus holds: building an n-gram index, and texts that were seen before."""
