"""Property tests as fuzz targets, for make fuzz."""
