"""bleuprint's gec_gleu for Hugging Face evaluate."""

from bleuprint.integrations.hf import metric_class

GecGleu = metric_class("gec_gleu")
