#!/usr/bin/env bash
# Paraphrases: which system is best, does the answer depend on alpha, and which candidate is best for every source?
# Usage: ibleu_sweep.sh FOLDER, which holds system-{a,b,c}.txt, ref-{1,2}.txt and source.txt.
set -euo pipefail
data=$1

# A table with the winner for every alpha, and the picture for the paper.
bleuprint score A="$data/system-a.txt" B="$data/system-b.txt" C="$data/system-c.txt" \
  -r "$data/ref-1.txt" -r "$data/ref-2.txt" -s "$data/source.txt" \
  -m ibleu --plot sweep.pdf --json result.json -w 6 | tee sweep.txt
bleuprint plot result.json --chart sweep --width 3.3in -o sweep.png

# One alpha alone, for the text of the paper.
bleuprint score A="$data/system-a.txt" -r "$data/ref-1.txt" -r "$data/ref-2.txt" -s "$data/source.txt" \
  -m ibleu:alpha=0.7 -w 6 | tee one-alpha.txt

# The best candidate of every source under that alpha.
bleuprint choose A="$data/system-a.txt" B="$data/system-b.txt" C="$data/system-c.txt" \
  -r "$data/ref-1.txt" -r "$data/ref-2.txt" -s "$data/source.txt" -m ibleu:alpha=0.7 -o best.txt --json best.json
bleuprint score Best=best.txt A="$data/system-a.txt" -r "$data/ref-1.txt" -r "$data/ref-2.txt" -s "$data/source.txt" \
  -m ibleu:alpha=0.7 -q -w 6 > best-scores.txt
