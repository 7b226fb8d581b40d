# SPDX-License-Identifier: Apache-2.0
"""The other accountants, each as a function of a question (accounting.Question) that returns the work to be timed."""
import math
import pathlib
import sys
import types

DISCRETIZATION = 1e-4  # dp-accounting's default
EPSILON_ERROR = 1e-3  # prv-accountant's half width
OPACUS_ERROR = 0.01  # Opacus' default
SIGMA_TOLERANCE = 1e-4  # of dp-accounting's calibration; its default of 1e-6 takes longer


def dp_accounting(question, make):
    import dp_accounting as library

    def event(release, scale):
        noise = {"gaussian": library.GaussianDpEvent, "laplace": library.LaplaceDpEvent}[release.noise](scale)
        noise = library.PoissonSampledDpEvent(release.rate, noise) if release.rate < 1 else noise
        return library.SelfComposedDpEvent(noise, release.count)

    def epsilon():
        whole = make()
        for release in question.releases:
            whole.compose(event(release, release.scale))
        return math.nan, whole.get_epsilon(question.delta)

    def sigma():
        return math.nan, library.calibrate_dp_mechanism(
            make, lambda scale: event(question.releases[0], scale), question.epsilon, question.delta, tol=SIGMA_TOLERANCE)

    return epsilon if math.isnan(question.epsilon) else sigma


def dp_accounting_pld(question):
    from dp_accounting import pld

    return dp_accounting(question, lambda: pld.PLDAccountant(value_discretization_interval=DISCRETIZATION))


def dp_accounting_rdp(question):
    from dp_accounting import rdp

    return dp_accounting(question, rdp.RdpAccountant)


def dp_accounting_fft(question):
    """PLDAccountant gives a composed Gaussian its closed form; here dp-accounting composes it by FFT."""
    from dp_accounting.pld import privacy_loss_distribution

    release, = question.releases

    def epsilon():
        one = privacy_loss_distribution.from_gaussian_mechanism(release.scale, value_discretization_interval=DISCRETIZATION)
        return math.nan, one.self_compose(release.count).get_epsilon_for_delta(question.delta)

    return epsilon


def prv_accountant(question):
    """In double precision, as with the numpy 1 it was written for.

    From numpy 2 on, its long double rate makes the whole composition long double: four times slower, more exact.
    """
    import numpy
    import prv_accountant as library
    from prv_accountant import dpsgd

    class SampledGaussian(library.PoissonSubsampledGaussianMechanism):
        def cdf(self, t):
            return numpy.float64(super().cdf(t))

    dpsgd.PoissonSubsampledGaussianMechanism = SampledGaussian

    def variable(release):
        if release.rate < 1:
            return SampledGaussian(release.rate, release.scale)
        if release.noise == "laplace":
            return library.LaplaceMechanism(mu=1 / release.scale)
        return library.GaussianMechanism(release.scale)

    def epsilon():
        counts = [release.count for release in question.releases]
        accountant = library.PRVAccountant(
            prvs=[variable(release) for release in question.releases], max_self_compositions=counts,
            eps_error=EPSILON_ERROR, delta_error=question.delta / 1000)
        lower, _, upper = accountant.compute_epsilon(question.delta, counts)
        return lower, upper

    def sigma():
        release, = question.releases
        return math.nan, dpsgd.find_noise_multiplier(
            release.rate, release.count, question.epsilon, question.delta, EPSILON_ERROR)

    return epsilon if math.isnan(question.epsilon) else sigma


def opacus_accountants():
    """The accountants of Opacus do not use PyTorch, which its other modules import: only theirs are loaded."""
    folders = [pathlib.Path(entry) / "opacus" for entry in sys.path if (pathlib.Path(entry) / "opacus").is_dir()]
    if not folders:
        raise ImportError("No module named 'opacus'")
    package, optimizers = types.ModuleType("opacus"), types.ModuleType("opacus.optimizers")
    package.__path__ = [str(folders[0])]
    optimizers.DPOptimizer = object
    sys.modules.update({"opacus": package, "opacus.optimizers": optimizers})
    import opacus.accountants

    return opacus.accountants


def opacus(question, name):
    library = opacus_accountants()

    def epsilon():
        accountant = getattr(library, name)()
        accountant.history = [(release.scale, release.rate, release.count) for release in question.releases]
        return math.nan, accountant.get_epsilon(question.delta)

    def sigma():
        from opacus.accountants.utils import get_noise_multiplier

        release, = question.releases
        return math.nan, get_noise_multiplier(
            target_epsilon=question.epsilon, target_delta=question.delta, sample_rate=release.rate, steps=release.count,
            accountant={"PRVAccountant": "prv", "RDPAccountant": "rdp"}[name], epsilon_tolerance=OPACUS_ERROR)

    return epsilon if math.isnan(question.epsilon) else sigma


def autodp_rdp(question):
    from autodp import mechanism_zoo, transformer_zoo

    def mechanism(release):
        if release.noise == "laplace":
            one = mechanism_zoo.LaplaceMechanism(b=release.scale)
        else:
            one = mechanism_zoo.GaussianMechanism(sigma=release.scale)
        if release.rate == 1:
            return one
        return transformer_zoo.AmplificationBySampling(PoissonSampling=True)(one, release.rate, improved_bound_flag=True)

    def epsilon():
        whole = transformer_zoo.Composition()(
            [mechanism(release) for release in question.releases], [release.count for release in question.releases])
        return math.nan, float(whole.get_approxDP(question.delta))

    return epsilon


PEERS = {
    "dp-accounting PLD": dp_accounting_pld,
    "dp-accounting RDP": dp_accounting_rdp,
    "dp-accounting FFT": dp_accounting_fft,
    "prv-accountant": prv_accountant,
    "Opacus PRV": lambda question: opacus(question, "PRVAccountant"),
    "Opacus RDP": lambda question: opacus(question, "RDPAccountant"),
    "autodp RDP": autodp_rdp,
}
