# SPDX-License-Identifier: Apache-2.0
"""One pass of logistic regression over 1,000,000 x 100 records in memory, one thread each.

Private: the same algorithm in NumPy, with inexact noise from a generator that can be predicted, drawn in large blocks, and
BLAS for its products. Without noise: scikit-learn's SGDClassifier, which is compiled too.
"""
import os

for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import json
import subprocess
import tempfile
import time

from contest import OURS, Contest
from programs import google_benchmark, path_of

RECORDS, DIMENSION = 1_000_000, 100
RATE, RHO, SIGMA, RADIUS = 0.5, 1e-4, 0.05, 10.0


def records():
    import numpy

    generator = numpy.random.default_rng(2)
    features = (generator.random((RECORDS, DIMENSION)) - 0.5) * 0.2
    return features, numpy.where(features[:, 0] + features[:, 1] > 0, 1.0, -1.0)


def our_pass(name, batch):
    """The records are drawn by the program, as many and as long."""
    return lambda: lambda: {"seconds": google_benchmark("descent_bench", f"{name}/{batch}$")[0]["seconds"]}


def numpy_pass(batch):
    import numpy

    features, labels = records()

    def project(w):
        norm = numpy.sqrt(w @ w)
        return w * (RADIUS / norm) if norm > RADIUS else w

    def work():
        generator = numpy.random.default_rng(1)
        steps, block = RECORDS // batch, 1_000_000 // DIMENSION
        start = time.perf_counter()
        w = numpy.zeros(DIMENSION)
        for step in range(steps):
            if step % block == 0:
                noise = generator.standard_normal((min(block, steps - step), DIMENSION))
                noise *= RATE * SIGMA
            if batch == 1:
                row, label = features[step], labels[step]
                slope = -label / (1.0 + numpy.exp(label * (row @ w)))
                w = project(w * (1.0 - RATE * RHO) - (RATE * slope) * row + noise[step % block])
            else:
                rows, label = features[step * batch : (step + 1) * batch], labels[step * batch : (step + 1) * batch]
                slopes = -label / (1.0 + numpy.exp(label * (rows @ w)))
                w = project(w * (1.0 - RATE * RHO) - (RATE / batch) * (slopes @ rows) + noise[step % block])
        return {"seconds": time.perf_counter() - start}

    return work


def scikit_learn_pass():
    import numpy
    from sklearn.linear_model import SGDClassifier

    features, labels = records()

    def work():
        model = SGDClassifier(loss="log_loss", alpha=RHO, learning_rate="constant", eta0=RATE, shuffle=False)
        start = time.perf_counter()
        model.partial_fit(features, labels, classes=numpy.array([-1.0, 1.0]))
        return {"seconds": time.perf_counter() - start}

    return work


def our_processes(count):
    """Of the training alone: every process reads the whole file."""
    import numpy

    features, labels = records()

    def work():
        environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        start = ["mpirun", "--oversubscribe", "-n", str(count)] if count > 1 else []
        with tempfile.TemporaryDirectory() as folder:
            data = os.path.join(folder, "data.npy")
            numpy.save(data, numpy.column_stack([features, labels]))
            done = subprocess.run(
                [*start, path_of("doeblin"), "train", data, "--classes", "-1|1", "--norm", "1", "--intercept", "0",
                 "--radius", "10", "--sigma", "0.05", "--learning-rate", "0.5", "--batch", "1024", "--epochs", "4",
                 "--output", os.path.join(folder, "run"), "--json"], check=True, capture_output=True, text=True, env=environment)
        return {"seconds": json.loads(done.stdout)["seconds"]["training"]}

    return work


CONTESTS = [
    Contest("private pass, batches of 64", {OURS: our_pass("BM_Private", 64), "NumPy": lambda: numpy_pass(64)}, limited=False),
    Contest("private pass, batches of 1", {OURS: our_pass("BM_Private", 1), "NumPy": lambda: numpy_pass(1)}, limited=False),
    Contest("pass without noise, batches of 1", {
        OURS: our_pass("BM_WithoutNoise", 1), "scikit-learn, SGDClassifier": scikit_learn_pass}, limited=False),
    Contest("4 private epochs, batches of 1024, Open MPI", {
        f"{OURS}, 2 processes": lambda: our_processes(2), f"{OURS}, 1 process": lambda: our_processes(1)}, limited=False),
]
