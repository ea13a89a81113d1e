"""Results of an evaluation: immutable, and unchanged by a JSON round trip."""

from bleuprint.results.model import COLUMN, SCHEMA_VERSION, MetricResult, Result, SystemResult
from bleuprint.results.tables import segment_columns, system_columns

__all__ = ["COLUMN", "SCHEMA_VERSION", "MetricResult", "Result", "SystemResult", "segment_columns", "system_columns"]
