#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A first certified epsilon: ask, keep the claim, have it computed again by other code.
# Run from anywhere with the program on the path:  PATH=$PWD/build:$PATH examples/first_epsilon.sh
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# How private is a noisy count of a sample? The upper end is the guarantee.
doeblin epsilon 'gaussian(sigma=2) | poisson(rate=0.1)' --delta 1e-6 --certificate claim.json

# Somebody else checks it: VERIFIED, or exit code 1.
doeblin verify claim.json

# The same for scripts: exact doubles, and an exit code that says whether it worked.
doeblin epsilon 'gaussian(sigma=2) | poisson(rate=0.1)' --delta 1e-6 --json > answer.json
python3 -c 'import json; print("upper end:", json.load(open("answer.json"))["epsilon"]["upper"])'
