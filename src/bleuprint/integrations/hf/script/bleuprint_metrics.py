"""The script that Hugging Face evaluate loads; the configuration is the name of a metric."""

from bleuprint.integrations.hf import metric_class

__all__ = ["BleuprintMetric"]

BleuprintMetric = metric_class()
