"""Results of an evaluation: immutable, and unchanged by a JSON round trip."""

from bleuprint.results.model import COLUMN, SCHEMA_VERSION, MetricResult, Result, SystemResult

__all__ = ["COLUMN", "SCHEMA_VERSION", "MetricResult", "Result", "SystemResult"]
