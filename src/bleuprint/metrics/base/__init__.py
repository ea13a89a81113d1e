"""What every metric is made of: definitions, row sources, summaries and the objects users hold."""
