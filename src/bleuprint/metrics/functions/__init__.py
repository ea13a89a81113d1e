"""Functions that need no object: one call for a pair, a corpus, a column of scores."""
