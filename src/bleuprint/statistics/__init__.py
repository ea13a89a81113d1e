"""Rows of whole numbers, and exact sums, means and covariances of them; no room here knows a metric."""
