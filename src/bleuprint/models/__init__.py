"""Language models: n-gram models, causal models, and the loading of torch models."""
