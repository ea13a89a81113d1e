"""Agreement of metrics with human ratings, and of raters with each other.

`measuring` puts the result together from what `levels` finds; `result` holds and shows it. The rest takes plain arrays:
`statistics` has correlations and shares of pairs, `resampling` has intervals and tests between metrics, and `raters`
has Krippendorff's alpha and the noise ceiling.
"""
