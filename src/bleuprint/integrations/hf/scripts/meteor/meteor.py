"""bleuprint's meteor for Hugging Face evaluate."""

from bleuprint.integrations.hf import metric_class

Meteor = metric_class("meteor")
