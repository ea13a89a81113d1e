"""Tests against packages that people already work with; `make test-integrations` sets up an environment for them."""
