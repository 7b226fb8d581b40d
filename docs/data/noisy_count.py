# SPDX-License-Identifier: Apache-2.0
"""Counts the lines of a file and prints the count with Laplace noise of scale 1, 5000 times over.

Usage: python3 noisy_count.py FILE SEED
"""
import math
import random
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    count = sum(1 for _ in file)
rng = random.Random(int(sys.argv[2]))
for _ in range(5000):
    noise = math.log(1.0 - rng.random()) - math.log(1.0 - rng.random())
    print(count + noise)
