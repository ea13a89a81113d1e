"""A pool of texts in depth: tables of diversity, rarefaction, comparison of pools, diverse subsets."""
