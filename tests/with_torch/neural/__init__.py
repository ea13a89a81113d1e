"""Tests that need torch, transformers and onnxruntime; `make test-neural` sets up an environment for them."""
