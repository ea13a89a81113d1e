"""bleuprint's squad_f1 for Hugging Face evaluate."""

from bleuprint.integrations.hf import metric_class

SquadF1 = metric_class("squad_f1")
