// SPDX-License-Identifier: Apache-2.0
#include "doeblin/core/neighbours.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "doeblin/core/format.hpp"
#include "doeblin/core/whole.hpp"

namespace doeblin {
void require_everybody(const Neighbours& neighbours) {
  if (!neighbours.places.empty())
    throw InvalidArgument("person", "before this stage", "the guarantee of everybody, without person(i)");
}

Neighbours in_groups(Neighbours neighbours, double k) {
  require_everybody(neighbours);
  neighbours.people *= k;
  require_whole("k", neighbours.people, 1.0, 0x1p53);
  return neighbours;
}

namespace {

// In one table a person has one place, and is not protected where that is public.
void require_fitting_places(const Neighbours& all) {
  if (all.places.size() > 1 && !all.sizes_differ)
    throw InvalidArgument(
        "i", all.places[1],
        fmt::format("the same person in every part of a sum, as in person({})", format_exact(all.places[0])));
  if (!all.size || all.public_tail == 0.0) return;
  for (const double place : all.places)
    require(place <= *all.size - all.public_tail, "i", place,
            fmt::format("i <= {}: the last {} records are public in a part of the sum",
                        format_exact(*all.size - all.public_tail), format_exact(all.public_tail)));
}

}  // namespace

Neighbours together(const std::vector<Neighbours>& parts) {
  ensure(!parts.empty(), "a sum has parts");
  Neighbours all = parts[0];
  for (const Neighbours& part : parts) {
    ensure(part.people == all.people, "parts about as many people");
    all.relation = common_relation(all.relation, part.relation);
    all.sizes_differ = all.sizes_differ || part.sizes_differ || (all.size && part.size && *all.size != *part.size);
    if (!all.size) all.size = part.size;
    // Whoever is public in one part is not protected there.
    all.public_tail = std::max(all.public_tail, part.public_tail);
    all.is_of_worst_place = all.is_of_worst_place || part.is_of_worst_place;
    for (const double place : part.places)
      if (std::find(all.places.begin(), all.places.end(), place) == all.places.end()) all.places.push_back(place);
  }
  if (all.sizes_differ) all.size.reset();
  require_fitting_places(all);
  return all;
}

std::string whose_data(const Neighbours& neighbours) {
  if (!neighbours.places.empty())
    return fmt::format("the data of the person in place {}", fmt::join(neighbours.places, " and "));
  std::string people = neighbours.people == 1.0
                           ? "one person's data"
                           : fmt::format("the data of up to {} people", format_exact(neighbours.people));
  if (neighbours.public_tail == 0.0) return people;
  if (!neighbours.size) return people + ", in records that no part treats as public,";
  const double last = *neighbours.size - neighbours.public_tail;
  return fmt::format("{} among the first {} records (the last {} are public)", people, format_exact(last),
                     format_exact(neighbours.public_tail));
}

}  // namespace doeblin
