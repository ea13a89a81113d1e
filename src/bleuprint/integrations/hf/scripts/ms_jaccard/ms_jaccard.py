"""bleuprint's ms_jaccard for Hugging Face evaluate."""

from bleuprint.integrations.hf import metric_class

MsJaccard = metric_class("ms_jaccard")
