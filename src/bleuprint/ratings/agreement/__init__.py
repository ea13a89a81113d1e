"""Agreement of metrics with human ratings, and of raters with each other.

`measuring` computes the result, and `result` holds and shows it. The rest takes plain arrays: `statistics` has
correlations and shares of pairs, `resampling` has intervals and tests between metrics, and `raters` has Krippendorff's
alpha and the noise ceiling.
"""
