#!/usr/bin/env bash
# BLEU with perplexity: a language model, both scores, the quadrants, and figures for a paper.
# Usage: bleu_with_perplexity.sh FOLDER, which holds system-{a,b,c}.txt, ref-{1,2}.txt and source.txt.
set -euo pipefail
data=$1

bleuprint lm train "$data/ref-1.txt" "$data/ref-2.txt" -o model.blm --order 3 -tok 13a
bleuprint score A="$data/system-a.txt" B="$data/system-b.txt" C="$data/system-c.txt" \
  -m perplexity:lm=model.blm --plot spread.svg | tee perplexity.txt
bleuprint score A="$data/system-a.txt" B="$data/system-b.txt" C="$data/system-c.txt" \
  -r "$data/ref-1.txt" -r "$data/ref-2.txt" -m bleu,perplexity:lm=model.blm \
  --json result.json --plot segments.png | tee scores.txt

# A dot per system and a panel per system, in the width of a column and of a page.
bleuprint plot result.json --chart tradeoff --width 3.3in -o systems.pdf
bleuprint plot result.json --chart fluency --width 17cm -o segments.pdf
