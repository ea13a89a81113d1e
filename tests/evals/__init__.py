"""Frameworks for evaluating language models, in an environment of their own that `make test-evals` sets up."""
