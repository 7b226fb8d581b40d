# SPDX-License-Identifier: Apache-2.0
"""A source or stage has a truth, and the fuzzer knows its words. The other places that have it are those of its recipe in
CONTRIBUTING.md: test_recipes.py."""
import pathlib
import sys

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import schemas  # noqa: E402

# Where the truth comes from: tables of tests/data, or enumerations of the mechanism as it is described to people.
TRUTH = {
    "gaussian": "data/gaussian_delta.csv", "laplace": "data/laplace_delta.csv", "twice_laplace": "data/twice_laplace_delta.csv",
    "randomized_response": "data/randomized_response_delta.csv", "discrete_gaussian": "data/discrete_gaussian_delta.csv",
    "discrete_laplace": "data/discrete_laplace_delta.csv", "black_box": "data/black_box_delta.csv", "gdp": "data/gaussian_delta.csv",
    "zcdp": "data/renyi_conversion.csv", "tcdp": "data/renyi_conversion.csv", "rdp": "data/renyi_conversion.csv", "finite": "profile/finite_test.cpp",
    "brownian": "data/diffusion_brownian_delta.csv", "ornstein_uhlenbeck": "data/diffusion_ornstein_uhlenbeck_delta.csv",
    "evolve": "data/diffusion_level.csv", "noisy_sgd": "data/iteration_best_delta.csv", "noisy_iteration": "data/iteration_shift_mu.csv",
    "person": "data/iteration_best_delta.csv", "poisson": "data/poisson_gaussian_delta.csv",
    "without_replacement": "cli/enumeration.py", "with_replacement": "data/with_replacement_gaussian_delta.csv",
    "group": "cli/enumeration.py", "compose": "data/composed_laplace_delta.csv", "dobrushin": "data/mixing_black_box_delta.csv",
    "doeblin": "data/mixing_finite_doeblin.csv", "ultra_mixing": "data/mixing_finite_ultra.csv", "kernel": "data/mixing_finite_hockey.csv",
    "k_ary_response": "data/mixing_k_ary_delta.csv", "binary_symmetric": "data/mixing_k_ary_delta.csv",
    "truncated_geometric": "data/mixing_geometric_delta.csv", "lazy_walk": "data/mixing_finite_hockey.csv",
    "projected_gaussian": "data/mixing_projected_gaussian_delta.csv", "projected_laplace": "data/mixing_projected_laplace_delta.csv",
}


def test_every_source_and_stage_has_its_truth():
    assert sorted(TRUTH) == sorted(schemas.names())
    assert [file for file in TRUTH.values() if not (ROOT / "tests" / file).is_file()] == []


def test_the_dictionary_of_the_fuzzer_has_all_words():
    words = schemas.dictionary().splitlines()
    assert {f'"{name}("' for name in TRUTH} <= set(words)
    assert {'"sigma="', '"analysis="', '"poisson"', '"feldman"', '" | "'} <= set(words)
