"""bleuprint's expected_distinct for Hugging Face evaluate."""

from bleuprint.integrations.hf import metric_class

ExpectedDistinct = metric_class("expected_distinct")
