#!/bin/sh
# The shell protocol with nothing but jq: node run.mjs --command "sh examples/exact-match.sh" exact-match
exec jq -r '
  def trim: sub("^\\s+"; "") | sub("\\s+$"; "");
  if .metric != "exact-match" or .options.normalizer != "none" then "unsupported"
  else [.hypotheses, .references] | transpose
    | map(. as [$output, $references] | any($references[]; trim == ($output | trim)))
    | (map(select(.)) | length) / length
  end'
