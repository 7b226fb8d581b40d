#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A private model of a table: examples/train_a_model.sh [DATA.csv], by default a table of 1,000 made-up people.
# What is declared (bounds, norm, radius) must be known without looking at the data.
set -euo pipefail
data=$(realpath "${1:-/dev/null}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

if [ "$data" = /dev/null ]; then
  data=people.csv
  awk 'BEGIN { srand(1); print "age,hours,late"; for (i = 0; i < 1000; ++i) {
    age = 18 + int(60 * rand()); hours = int(60 * rand()); print age "," hours "," (hours + 20 * rand() > 40 ? 1 : 0) } }' > "$data"
fi

# Only the last state of the run is written, and everybody's guarantee counts that.
doeblin train "$data" --label late --bounds age=18:78 --bounds hours=0:60 --norm 1 --radius 5 --batch 50 --epochs 20 \
  --epsilon 1 --delta 1e-5 --output run

# The certificate says what was promised to whom; anybody can check it.
doeblin verify run/certificate.json
doeblin predict run/model.json "$data" --output predictions.csv
head -3 predictions.csv
