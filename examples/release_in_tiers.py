# SPDX-License-Identifier: Apache-2.0
"""A table of counts for three audiences: one path of a diffusion, so that whoever pools releases learns nothing more."""
import numpy as np

from doeblin import release

visits = np.array([[34, 120], [41, 98], [12, 240], [77, 15]], dtype=float)

# One person is in one row, and moves the first column by at most 1 and the second by at most 10.
noisy = release(visits, "brownian", tiers=[2, 8, 32], sensitivity=[1, 10], rows_per_person=1, delta=1e-6)
for tier in noisy.tiers:
    print(f"time {tier.time:g}: epsilon <= {tier.epsilon.upper:.4f} at delta = {tier.delta:g}")
    print(np.round(tier.values, 1))
