"""What predicts texts: n-gram models, causal models, and how torch models are loaded."""
