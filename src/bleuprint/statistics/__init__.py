"""Rows of statistics, and exact sums, means, and covariances. Nothing here knows a metric."""
