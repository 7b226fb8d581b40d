# SPDX-License-Identifier: Apache-2.0
"""DP-SGD: how private it is, how much noise a target needs, and what is gained when only the last model is released."""
from doeblin import calibrate, compose, gaussian, noisy_sgd, poisson

records, batch, steps, delta = 60_000, 256, 14_000, 1e-5

# Every step is seen, batches are Poisson samples: the accounting of today.
training = gaussian(sigma=1.1) | poisson(rate=batch / records) | compose(steps)
epsilon = training.epsilon(delta=delta)
print(f"epsilon is between {epsilon.lower:.5f} and {epsilon.upper:.5f}")

# How much noise for epsilon = 1? The answer is on the safe side.
sigma = calibrate(lambda s: gaussian(sigma=s) | poisson(rate=batch / records) | compose(steps), epsilon=1, delta=delta)
print(f"sigma = {float(sigma):.4f} is enough for epsilon = 1")

# A convex model, batches in a fixed order, and nobody sees a state but the last.
run = noisy_sgd(n=records, batch=64, epochs=20, learning_rate=0.5, sigma=0.1, lipschitz=1, smoothness=1, strong_convexity=0.01)
public = noisy_sgd(n=records, batch=64, epochs=20, learning_rate=0.5, sigma=0.1, lipschitz=1, smoothness=1,
                   strong_convexity=0.01, analysis="public")
print(f"hidden states: {run.epsilon(delta=delta).upper:.3f} for the worst record, every state public: {public.epsilon(delta=delta).upper:.3f}")
