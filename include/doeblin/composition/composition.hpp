// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "doeblin/profile/gdp.hpp"
#include "doeblin/profile/renyi_conversion.hpp"
#include "doeblin/profile/renyi_curve.hpp"
#include "doeblin/profile/zcdp.hpp"

/// Several releases about the same people (catalogue C5): the forms that add in closed form.
namespace doeblin {

/// sqrt(sum of mu^2)-GDP; exact.
[[nodiscard]] Gdp compose(const std::vector<Gdp>& parts);
/// The same release k times: sqrt(k) mu.
[[nodiscard]] Gdp compose(const Gdp& part, double k);

/// (sum of rho)-zCDP.
[[nodiscard]] Zcdp compose(const std::vector<Zcdp>& parts);
[[nodiscard]] Zcdp compose(const Zcdp& part, double k);

/// Renyi divergences add, order by order; known where every part is known. The lower ends add when each part has a
/// single worst pair; else the largest of them stands.
[[nodiscard]] RenyiCurve compose(const std::vector<RenyiCurve>& parts);
[[nodiscard]] RenyiCurve compose(const RenyiCurve& part, double k);

/// A mechanism that is run `count` times.
struct ProfilePart {
  Profile profile;
  double count;
};

/// `upper` is 1; `lower` is the least private part, for whoever sees all releases sees that one.
[[nodiscard]] Profile least_private_part(const std::vector<ProfilePart>& parts);

/// Epsilons and deltas add.
///
/// Formula  delta(eps) <= sum_i count_i delta_i(eps_i) whenever sum_i count_i eps_i <= eps; two splits are tried, equal
///          shares and everything a release of bounded loss can use
/// Bound    `lower` is the least private part
[[nodiscard]] Profile added_profile(const std::vector<ProfilePart>& parts);

/// The profile of a composition, from its Renyi curve (C3) or by adding epsilons and deltas, whichever is better.
[[nodiscard]] Profile composed_profile(const RenyiCurve& total, const std::vector<ProfilePart>& parts);

/// The first profile where it is about as narrow as its traits promise (within a factor of 10); else the better ends of
/// both. Brackets that are not meant to close are taken as they are.
[[nodiscard]] Profile first_if_narrow(const Profile& first, const Profile& second);

/// One case of several, to the accuracy that is asked for and, at less cost, to less.
struct CaseProfile {
  Profile profile;
  Profile rough;
};

/// The worst of the cases. All but the first are first looked at roughly, which is enough for those that do not decide.
[[nodiscard]] Profile worst_case(const std::vector<CaseProfile>& cases);

/// Throws unless k is an integer, 1 <= k <= 2^53.
void require_count(double k);

}  // namespace doeblin
