"""bleuprint's near_duplicates for Hugging Face evaluate."""

from bleuprint.integrations.hf import metric_class

NearDuplicates = metric_class("near_duplicates")
