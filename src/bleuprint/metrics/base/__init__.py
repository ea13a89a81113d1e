"""The building blocks of all metrics: definitions, row sources, summaries, and the metric and score classes."""
